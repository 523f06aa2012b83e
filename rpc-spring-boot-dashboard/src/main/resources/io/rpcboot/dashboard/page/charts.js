// Lines over time. A chart is drawn only while it is in sight; beside it stand its latest values as text, and the canvas
// has a text alternative.

import { h } from './dom.js';
import { known, time } from './format.js';

const MINUTE = 60 * 1000;
/** Values of five minutes. */
const RECENT = 60;

const drawn = new Map();
const visible = new IntersectionObserver((entries) => entries.forEach((entry) => {
	const chart = drawn.get(entry.target);
	if (chart) {
		chart.inSight = entry.isIntersecting;
		if (chart.inSight && chart.dirty) {
			show(chart);
		}
	}
}));

/**
 * @param spec {title, times, series: [{name, values, color (1 to 8), dashed}], format, stacked, binary, whole, max, empty}
 * A series is drawn above the one before it if the chart is stacked. `empty` is said if no value was ever other than zero.
 */
export function chart(spec) {
	const series = spec.series.filter((one) => one.values.some(known));
	const moved = series.some((one) => one.values.some((value) => known(value) && value !== 0));
	const quiet = series.length === 0 || (spec.empty && !moved);
	return h('figure', { class: 'chart', key: spec.title },
		h('figcaption', {}, h('h3', {}, spec.title), !quiet && cut(spec, series) && h('span', { class: 'quiet' }, `earlier peak of ${spec.format(peak(series))} cut`), !quiet && h('ul', { class: 'legend' }, series.map((one) => legend(one, spec)))),
		quiet ? h('p', { class: 'empty' }, spec.empty && spec.times.length > 0 ? spec.empty : 'Not measured yet.')
			: h('div', { class: 'plot' }, h('canvas', { role: 'img', 'aria-label': alternative(spec, series), hook: {
				mount: (canvas) => mount(canvas, spec, series),
				update: (canvas) => update(canvas, spec, series),
				unmount
			} })));
}

/**
 * Where the axis ends if an earlier peak would flatten the last five minutes: at one and a half of their highest value.
 * Nothing if no value of them is above zero, or if the peak is less than ten times as high.
 */
function cut(spec, series) {
	if (spec.stacked) {
		return undefined;
	}
	const recent = Math.max(0, ...series.map((one) => highest(one.values.slice(-RECENT)) ?? 0));
	const all = Math.max(0, ...series.map((one) => highest(one.values) ?? 0));
	return recent > 0 && all > 10 * recent ? 1.5 * recent : undefined;
}

function legend(one, spec) {
	return h('li', { key: one.name, class: `c${one.color} ${one.dashed ? 'dashed' : ''}` }, h('span', {}, one.name), ' ',
		h('b', {}, spec.format(last(one.values))));
}

function last(values) {
	for (let index = values.length - 1; index >= 0 && index >= values.length - 2; index--) {
		if (known(values[index])) {
			return values[index];
		}
	}
	return null;
}

function alternative(spec, series) {
	const lines = series.map((one) => `${one.name}: now ${spec.format(last(one.values))}, highest ${spec.format(highest(one.values))}`);
	return `${spec.title} over the last 15 minutes. ${lines.join('; ')}.`;
}

function highest(values) {
	return values.reduce((most, value) => known(value) && (most === null || value > most) ? value : most, null);
}

function peak(series) {
	return Math.max(...series.map((one) => highest(one.values) ?? 0));
}

function mount(canvas, spec, series) {
	const entry = { canvas, spec, series, inSight: false, dirty: true, chart: null };
	drawn.set(canvas, entry);
	visible.observe(canvas);
}

function update(canvas, spec, series) {
	const entry = drawn.get(canvas);
	entry.spec = spec;
	entry.series = series;
	entry.dirty = true;
	if (entry.inSight) {
		show(entry);
	}
}

function unmount(canvas) {
	visible.unobserve(canvas);
	drawn.get(canvas)?.chart?.destroy();
	drawn.delete(canvas);
}

/** Draws all again in the colours of the theme. */
export function recolor() {
	for (const entry of drawn.values()) {
		entry.chart?.destroy();
		entry.chart = null;
		entry.dirty = true;
		if (entry.inSight) {
			show(entry);
		}
	}
}

function show(entry) {
	entry.dirty = false;
	const colors = getComputedStyle(document.documentElement);
	if (!entry.chart) {
		entry.chart = new window.Chart(entry.canvas, { type: 'line', data: { datasets: [] }, options: options(entry, colors) });
	}
	const { spec, series, chart: target } = entry;
	const x = target.options.scales.x;
	x.max = spec.times[spec.times.length - 1];
	x.min = x.max - Math.min(15 * MINUTE, Math.max(2 * MINUTE, x.max - spec.times[0]));
	target.options.scales.y.max = cut(spec, series);
	target.options.scales.y.ticks.stepSize = spec.binary ? powerOfTwo(series) : undefined;
	target.data.datasets = series.map((one, index) => dataset(one, index, target.data.datasets, spec, colors));
	target.update('none');
}

/** A step that is a whole number of KB or MB, for at most four of them. */
function powerOfTwo(series) {
	const most = Math.max(1, ...series.map((one) => highest(one.values)));
	return 2 ** Math.ceil(Math.log2(most / 4));
}

function dataset(one, index, before, spec, colors) {
	const color = colors.getPropertyValue(`--c${one.color}`).trim();
	const kept = before.find((other) => other.label === one.name) ?? {};
	return Object.assign(kept, { label: one.name, data: one.values.map((y, at) => ({ x: spec.times[at], y: known(y) ? y : NaN })),
		borderColor: color, backgroundColor: `${color}${spec.stacked ? '66' : '22'}`, borderWidth: 1.75,
		borderDash: one.dashed ? [4, 3] : [], fill: spec.stacked ? (index === 0 ? 'origin' : '-1') : false });
}

function options(entry, colors) {
	const ink = colors.getPropertyValue('--quiet').trim();
	const line = colors.getPropertyValue('--line').trim();
	const font = { family: getComputedStyle(document.body).fontFamily, size: 11 };
	const format = (value) => entry.spec.format(value);
	return { animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true, spanGaps: false,
		interaction: { mode: 'index', intersect: false, axis: 'x' },
		elements: { point: { radius: 0, hoverRadius: 3, hitRadius: 8 }, line: { tension: 0, borderJoinStyle: 'round' } },
		scales: {
			x: { type: 'linear', grid: { display: false }, border: { color: line }, afterBuildTicks: wholeMinutes,
				ticks: { color: ink, font, maxRotation: 0, callback: (value) => time(value).slice(0, 5) } },
			y: { beginAtZero: true, stacked: Boolean(entry.spec.stacked), suggestedMax: entry.spec.max, border: { display: false },
				grid: { color: line, drawTicks: false }, ticks: { color: ink, font, maxTicksLimit: 4, padding: 6, precision: entry.spec.whole ? 0 : undefined, callback: tick(format) } }
		},
		plugins: {
			legend: { display: false },
			tooltip: { backgroundColor: colors.getPropertyValue('--tip').trim(), titleFont: font, bodyFont: font, boxWidth: 8, boxHeight: 8,
				padding: 8, callbacks: { title: (items) => time(items[0]?.parsed.x),
					label: (item) => ` ${item.dataset.label}  ${format(item.parsed.y)}` } }
		} };
}

/** On an axis a whole number has no zeros behind its point. */
function tick(format) {
	return (value) => format(value).replace(/\.0+(?!\d)/, '');
}

function wholeMinutes(axis) {
	const step = axis.max - axis.min > 6 * MINUTE ? 5 * MINUTE : MINUTE;
	axis.ticks = [];
	for (let at = Math.ceil(axis.min / step) * step; at <= axis.max; at += step) {
		axis.ticks.push({ value: at });
	}
}

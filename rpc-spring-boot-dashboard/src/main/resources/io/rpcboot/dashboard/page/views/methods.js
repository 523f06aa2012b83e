import { chart } from '../charts.js';
import { h } from '../dom.js';
import { count, duration, millis, rate, shortMethod, shortName } from '../format.js';
import { HISTORY_OFF, code, heading, section, serviceLink, sideTag, stat } from '../parts.js';
import { table } from '../table.js';
import { callTable } from './calls.js';
import { callLink } from './invoke.js';
import { ENOUGH, methodColumns, methodKey, total } from './columns.js';

export const methods = {
	data: () => ({ methods: ['methods'] }),
	draw: (state, draw) => [
		heading('Methods', h('p', {}, 'Every method that was called here or from here, as the server or as the client saw it.')),
		section('All methods', {}, table({ settings: state.settings, draw }, {
			id: 'methods', caption: 'All methods', rows: state.data.methods.methods ?? [], key: methodKey, sort: [2, true],
			text: (row) => `${row.side} ${row.service} ${row.method}`,
			empty: state.data.methods.methods ? 'No method has been called yet.' : HISTORY_OFF,
			columns: [...methodColumns(true), total]
		}))]
};

export const method = {
	data: (route) => ({ method: ['methods', ...route.slice(1)] }),
	draw: (state, draw) => {
		const [, side, service, name] = state.route;
		const { stats: method, series: past, slowest, failed } = state.data.method;
		const context = { settings: state.settings, draw };
		return [
			heading(shortMethod(name), h('p', {}, sideTag(side), ' of ', serviceLink(service, side), ' ', code(`${service}.${name}`))),
			section('Now', { aside: side === 'server' && callLink(service, name) }, h('dl', { class: 'stats' },
				stat('Calls/s, last minute', rate(method.callsPerSecond)),
				stat('Errors/s, last minute', rate(method.errorsPerSecond), '', method.errorsPerSecond > 0 ? 'bad' : ''),
				stat('p50, 5 minutes', duration(method.tracked === false ? null : method.p50Millis)),
				stat('p99, 5 minutes', duration(method.tracked === false || method.calls < ENOUGH ? null : method.p99Millis)),
				stat('Longest, 5 minutes', duration(method.tracked === false ? null : method.maxMillis)),
				stat('Calls since the start', count(method.calls))),
			method.tracked === false && h('p', { class: 'note' }, 'Percentiles are kept for the 64 busiest methods; this is none of them.')),
			section('The last 15 minutes', {}, series(past, side)),
			h('div', { class: 'columns two' },
				section('Slowest calls', {}, callTable(context, 'slowest', slowest, 'No call of this method is among the slowest.', 0, true)),
				section('Failed calls', {}, callTable(context, 'failed', failed, `No call of ${shortName(service)}.${shortMethod(name)} failed lately.`, 0, true)))];
	}
};

function series(series, side) {
	const times = series?.times ?? [];
	const color = side === 'server' ? 1 : 2;
	const perSecond = (counts) => (counts ?? []).map((value) => value === null ? null : value * 1000 / series.stepMillis);
	return h('div', { class: 'columns two charts' },
		chart({ title: 'Calls per second', times, format: rate, series: [
			{ name: 'calls', color, values: perSecond(series?.calls) },
			{ name: 'errors', color: 4, dashed: true, values: perSecond(series?.errors) }] }),
		chart({ title: 'Time in ms, each 5 s', times, format: millis, series: [
			{ name: 'p50', color, dashed: true, values: series?.p50Millis ?? [] },
			{ name: 'p99', color, values: series?.p99Millis ?? [] }] }));
}

// Tables that stay usable with thousands of rows: sorted by a click on a header, filtered as one types, shown in parts.

import { h } from './dom.js';
import { count } from './format.js';
import { empty } from './parts.js';

const PART = 50;
const FILTER_FROM = 12;

/**
 * @param context {settings, draw}: where sort and filter are kept, and what draws again
 * @param spec {id, caption, rows, key(row), columns, sort, empty, part}; a column is {title, cell(row), value(row), number,
 * text(row), wide}; `sort` is [index, descending] or nothing for the order of the rows
 */
export function table(context, spec) {
	const setting = context.settings[spec.id] ??= { sort: spec.sort ?? null, filter: '', shown: spec.part ?? PART };
	if (spec.rows.length === 0) {
		return empty(spec.empty);
	}
	const rows = sorted(filtered(spec, setting.filter), spec.columns, setting.sort);
	const shown = rows.slice(0, setting.shown);
	return h('div', { class: 'table', key: spec.id },
		(spec.rows.length >= FILTER_FROM && spec.filter !== false) && filter(context, spec, setting, rows.length),
		h('div', { class: 'scroll', role: 'region', 'aria-label': spec.caption, tabindex: '0' },
			h('table', {}, h('caption', {}, spec.caption), head(context, spec.columns, setting),
				h('tbody', {}, shown.map((row) => h('tr', { key: spec.key(row) }, spec.columns.map((column, index) => cell(column, index, row))))))),
		rows.length === 0 && empty('Nothing has this text.'),
		rows.length > shown.length && more(context, spec, setting, rows.length - shown.length));
}

function filter(context, spec, setting, matching) {
	return h('div', { class: 'filter' },
		h('input', { type: 'search', placeholder: 'Filter', 'aria-label': `Filter ${spec.caption}`, value: setting.filter,
			onInput: (event) => {
				setting.filter = event.target.value;
				context.draw();
			} }),
		h('span', { class: 'quiet' }, setting.filter ? `${count(matching)} of ${count(spec.rows.length)}` : count(spec.rows.length)));
}

function head(context, columns, setting) {
	return h('thead', {}, h('tr', {}, columns.map((column, index) => {
		const active = setting.sort?.[0] === index;
		const order = active ? (setting.sort[1] ? 'descending' : 'ascending') : null;
		return h('th', { key: column.title, scope: 'col', class: column.number ? 'number' : null, 'aria-sort': order },
			column.value ? h('button', { type: 'button', title: column.help, onClick: () => {
				setting.sort = [index, active ? !setting.sort[1] : Boolean(column.number)];
				context.draw();
			} }, column.title) : column.title);
	})));
}

function cell(column, index, row) {
	const content = column.cell(row);
	const kind = [column.number && 'number', column.wide && 'wide', content === '0' && 'zero', column.mood?.(row)].filter(Boolean).join(' ');
	return index === 0 ? h('th', { scope: 'row', class: kind || null }, content) : h('td', { class: kind || null }, content);
}

function more(context, spec, setting, left) {
	const part = spec.part ?? PART;
	return h('button', { class: 'more', type: 'button', onClick: () => {
		setting.shown += part * 2;
		context.draw();
	} }, left <= part * 2 ? `Show ${count(left)} more` : `Show ${count(part * 2)} more of ${count(left)}`);
}

function filtered(spec, text) {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) {
		return spec.rows;
	}
	return spec.rows.filter((row) => {
		const all = spec.text(row).toLowerCase();
		return words.every((word) => all.includes(word));
	});
}

function sorted(rows, columns, sort) {
	const value = sort && columns[sort[0]]?.value;
	if (!value) {
		return rows;
	}
	const sign = sort[1] ? -1 : 1;
	return rows.map((row) => [value(row), row]).sort(([left], [right]) => sign * compare(left, right)).map(([, row]) => row);
}

function compare(left, right) {
	if (typeof left === 'number' && typeof right === 'number') {
		return left - right;
	}
	return String(left ?? '').localeCompare(String(right ?? ''), 'en', { numeric: true });
}

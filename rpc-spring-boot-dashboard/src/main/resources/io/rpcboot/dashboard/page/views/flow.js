// Who calls whom: applications that call this one on the left, those that it calls on the right. Each row has the same
// height, so that the lines between need no measuring.

import { h } from '../dom.js';
import { count } from '../format.js';
import { badge, empty, stateBadge } from '../parts.js';
import { link } from '../router.js';

const MOST = 6;

export function flow(summary, connections, instances) {
	const callers = grouped(connections.server, (group, connection) => {
		group.pending += connection.pending;
	});
	const called = grouped(instances, (group, instance) => {
		group.pending += instance.pendingCalls;
		group.ready += instance.state === 'READY' ? 1 : 0;
	});
	if (callers.length + called.length === 0) {
		return empty('Nobody is connected, and this application calls nobody.');
	}
	return h('div', { class: 'flow' },
		h('ul', { 'aria-label': 'Applications that call this one' }, callers.slice(0, MOST).map(caller), rest(callers, 'connections')),
		lines(Math.min(callers.length, MOST + 1), true),
		h('p', { class: 'self' }, h('b', {}, summary.application || 'this application')),
		lines(Math.min(called.length, MOST + 1), false),
		h('ul', { 'aria-label': 'Applications that this one calls' }, called.slice(0, MOST).map(callee), rest(called, 'instances')));
}

function grouped(rows, add) {
	const groups = new Map();
	for (const row of rows) {
		const name = row.application || '';
		const group = groups.get(name) ?? { name, members: 0, pending: 0, ready: 0 };
		group.members++;
		add(group, row);
		groups.set(name, group);
	}
	return [...groups.values()].sort((left, right) => order(right) - order(left) || right.members - left.members || left.name.localeCompare(right.name));
}

/** A few calls more or less do not change places: names would jump with each refresh. */
function order(group) {
	return Math.floor(Math.log10(1 + group.pending / 10));
}

function caller(group) {
	return h('li', { key: group.name }, h('a', { href: link('connections'), title: group.name }, group.name || 'without a name'),
		h('small', {}, `${amount(group.members, 'connection')} · ${count(group.pending)} under way`));
}

function callee(group) {
	const all = group.ready === group.members;
	return h('li', { key: group.name }, h('a', { href: link('instances'), title: group.name }, group.name || 'fixed addresses'), ' ',
		all ? stateBadge('READY') : badge(`${group.ready} of ${group.members} ready`, group.ready > 0 ? 'warn' : 'bad'),
		h('small', {}, `${amount(group.members, 'instance')} · ${count(group.pending)} pending`));
}

function rest(groups, place) {
	return groups.length > MOST && h('li', { key: ' rest' }, h('a', { href: link(place) }, `and ${count(groups.length - MOST)} more`));
}

function amount(value, noun) {
	return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Curves between rows that are evenly spread and the middle. */
function lines(rows, inward) {
	return h('svg:svg', { class: 'lines', viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true', vars: { '--rows': rows } },
		Array.from({ length: rows }, (_, row) => {
			const y = (row + 0.5) * 100 / rows;
			return h('svg:path', { key: row, d: inward ? `M0 ${y}C60 ${y} 40 50 100 50` : `M0 50C60 50 40 ${y} 100 ${y}` });
		}));
}

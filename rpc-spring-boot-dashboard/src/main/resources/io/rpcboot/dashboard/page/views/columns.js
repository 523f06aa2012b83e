// Columns that several tables share, so that a number looks the same wherever it stands.

import { h } from '../dom.js';
import { count, millis, rate, time, UNKNOWN, words } from '../format.js';
import { methodLink, sideTag, stateBadge } from '../parts.js';

/** Calls from which on one in a hundred is known. */
export const ENOUGH = 100;

export const side = { title: 'Side', cell: (row) => sideTag(row.side), value: (row) => row.side };

export const method = { title: 'Method', cell: methodLink, value: (row) => `${row.service} ${row.method}` };

export const callRate = { title: 'Calls/s', number: true, cell: (row) => rate(row.callsPerSecond), value: (row) => row.callsPerSecond,
	help: 'Calls per second over the last minute' };

export const errorRate = { title: 'Errors/s', number: true, cell: (row) => rate(row.errorsPerSecond), value: (row) => row.errorsPerSecond,
	mood: (row) => row.errorsPerSecond > 0 && 'bad', help: 'Calls per second that ended with an error, over the last minute' };

function percentile(title, field, help, enough = 0) {
	return { title, number: true, help, value: (row) => row[field],
		cell: (row) => row.tracked === false || row.calls < enough ? UNKNOWN : millis(row[field]) };
}

export const p50 = percentile('p50 ms', 'p50Millis', 'Half of the calls of the last five minutes took less');

export const p99 = percentile('p99 ms', 'p99Millis', 'One call in a hundred of the last five minutes took longer; unknown before 100 calls', ENOUGH);

export const worstP99 = percentile('Worst p99 ms', 'p99Millis', 'The highest of its methods with 100 calls or more, over the last five minutes');

export const max = percentile('Longest ms', 'maxMillis', 'The longest of the last five minutes');

export const waited = { title: 'Waited ms', number: true, value: (row) => row.waitedMillis ?? row.heldMillis ?? -1,
	cell: (row) => row.tracked === false ? UNKNOWN : millis(row.waitedMillis ?? row.heldMillis),
	help: 'Mean of the last five minutes: at the server until a thread starts a call, at the client until a call is written' };

export const total = { title: 'Calls', number: true, cell: (row) => count(row.calls), value: (row) => row.calls, help: 'Since the start' };

export const application = { title: 'Application', value: (row) => row.application,
	cell: (row) => row.application || h('span', { class: 'quiet' }, 'fixed address') };

export const state = { title: 'State', cell: (row) => stateBadge(row.state), value: (row) => row.state };

export const connections = { title: 'Connections', number: true, cell: (row) => count(row.connections), value: (row) => row.connections };

export const pending = { title: 'Pending', number: true, cell: (row) => count(row.pendingCalls), value: (row) => row.pendingCalls,
	help: 'Calls that wait for its reply' };

function atInstance(title, field, format, help) {
	return { title, number: true, help, cell: (row) => format(row.calls?.[field]), value: (row) => row.calls?.[field] ?? -1 };
}

/** What this client sees of the calls at an instance; unknown before they are counted. */
export const callsAtInstance = [
	atInstance('Calls/s', 'callsPerSecond', rate, 'Calls per second over the last minute, as this client sees them'),
	{ title: 'Failed', number: true, cell: (row) => row.calls ? count(failed(row.calls)) : UNKNOWN, value: (row) => row.calls ? failed(row.calls) : -1,
		mood: (row) => row.calls && failed(row.calls) > 0 && 'bad', help: 'Calls of the last minute that failed' },
	atInstance('p50 ms', 'p50Millis', millis, 'Half of the calls of the last minute took less'),
	atInstance('p99 ms', 'p99Millis', millis, 'One call in a hundred of the last minute took longer')];

function failed(calls) {
	return Object.values(calls.failures ?? {}).reduce((sum, each) => sum + each, 0);
}

/** Failed calls by status, in words. */
export function failures(calls) {
	return Object.entries(calls?.failures ?? {}).map(([status, number]) => `${count(number)} ${words(status)}`).join(', ');
}

/** Weight and tag, where they are not the usual ones. */
export const placement = { title: 'Weight', number: true, cell: (row) => [count(row.weight), row.tag && h('span', { class: 'quiet' }, ` ${row.tag}`)],
	value: (row) => row.weight ?? -1, help: 'Share of the calls in relation to other instances, and the tag of the calls that it takes' };

export const at = { title: 'Time', cell: (row) => time(row.at), value: (row) => row.at };

export function methodColumns(withSide) {
	return [...(withSide ? [method, side] : [method]), callRate, errorRate, p50, p99, max, waited];
}

export function methodKey(row) {
	return `${row.side} ${row.service} ${row.method}`;
}

/** Rows of statistics as they come from places that know the side or the service already. */
export function of(rows, side, service) {
	return (rows ?? []).map((row) => ({ side, service, ...row }));
}

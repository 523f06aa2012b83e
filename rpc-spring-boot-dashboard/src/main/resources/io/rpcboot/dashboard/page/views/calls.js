import { h } from '../dom.js';
import { millis, shortNames, words } from '../format.js';
import { HISTORY_OFF, badge, code, heading, peerLink, section } from '../parts.js';
import { table } from '../table.js';
import { at, method, side } from './columns.js';

const FINE = ['OK', 'DECLARED'];

const columns = [
	method,
	side,
	{ title: 'ms', number: true, cell: (row) => millis(row.millis), value: (row) => row.millis },
	{ title: 'Waited ms', number: true, cell: (row) => millis(row.waitedMillis ?? row.heldMillis), value: (row) => row.waitedMillis ?? row.heldMillis ?? -1,
		help: 'Of these: at the server until a thread started it, at the client until it was written' },
	{ title: 'Status', cell: (row) => [badge(row.status, FINE.includes(row.status) ? 'good' : 'bad'), row.oneWay && h('span', { class: 'quiet' }, ' one-way')], value: (row) => row.status },
	{ title: 'Peer', cell: (row) => row.peer ? peerLink(row) : '', value: (row) => row.peer },
	at];

/** What is known of some calls only. */
const origin = [
	{ title: 'Protocol', cell: (row) => words(row.protocol), value: (row) => row.protocol ?? '' },
	{ title: 'Application', cell: (row) => row.application ?? '', value: (row) => row.application ?? '', help: 'What the peer says that it is' },
	{ title: 'Caller', cell: (row) => row.caller ?? '', value: (row) => row.caller ?? '', help: 'Name that the caller has proved' }];

const trace = { title: 'Trace', cell: (row) => row.traceId ? code(row.traceId) : '', value: (row) => row.traceId ?? '' };

const message = { title: 'Message', wide: true, cell: (row) => [row.exceptionType && code(shortNames(row.exceptionType)), row.exceptionType && ' ', row.message ?? ''],
	value: (row) => row.message ?? '' };

/** @param few how many, in a narrow place; `ofMethod` leaves out what is the same for all */
export function callTable(context, id, calls, nothing, few, ofMethod) {
	const always = ofMethod ? [columns[6], columns[2], columns[3], columns[4], columns[5]] : few ? [columns[0], columns[2], columns[4], columns[5], columns[6]] : columns;
	const shown = few ? always : [...always, ...[...origin, trace, message].filter((column) => calls?.some((call) => column.value(call) !== ''))];
	return table(context, { id, caption: id === 'failed' ? 'Failed calls, latest first' : 'Slowest calls', rows: calls ?? [],
		key: (row) => `${row.at} ${row.side} ${row.method} ${row.peer} ${row.millis}`, empty: nothing, part: few || undefined, filter: few ? false : undefined,
		text: (row) => `${row.side} ${row.service} ${row.method} ${row.peer} ${words(row.protocol)} ${row.application ?? ''} ${row.caller ?? ''} ${words(row.status)} ${row.traceId ?? ''} ${row.exceptionType ?? ''} ${row.message ?? ''}`,
		columns: shown });
}

export const calls = {
	data: () => ({ calls: ['calls'] }),
	draw: (state, draw) => {
		const context = { settings: state.settings, draw };
		return [
			heading('Calls', h('p', {}, 'The slowest and the failed calls of the last 15 minutes, never with their arguments.')),
			section('Slowest calls', {}, callTable(context, 'slowest', state.data.calls.slowest, nothing(state.data.calls.slowest, 'No call has ended in the last 15 minutes.'))),
			section('Failed calls', {}, callTable(context, 'failed', state.data.calls.failed, nothing(state.data.calls.failed, 'No call has failed lately.')))];
	}
};

export function nothing(calls, text) {
	return calls ? text : HISTORY_OFF;
}

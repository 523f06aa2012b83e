// The charts of the overview. The server's lines have one colour on all of them, the client's another.

import { chart } from '../charts.js';
import { h } from '../dom.js';
import { bytes, count, duration, figure, known, percent, rate, words } from '../format.js';

const SERVER = 1;
const CLIENT = 2;

const STATUS_COLORS = { APPLICATION: 1, DEADLINE_EXCEEDED: 2, RESOURCE_EXHAUSTED: 3, UNAVAILABLE: 4, INTERNAL: 5, INVALID_ARGUMENT: 6, CANCELLED: 8 };
const REASON_COLORS = { DRAINED: 6, MESSAGES: 3, BYTES: 5, DELAY: 4, UNWRITABLE: 2, CLOSE: 7 };

function row(...charts) {
	return h('div', { class: 'columns three charts' }, charts);
}

function line(history, name, key, color, dashed) {
	return { name, color, dashed, values: history.series(key) };
}

function ofBoth(history, key) {
	return [line(history, 'server', `server${key}`, SERVER), line(history, 'client', `client${key}`, CLIENT)];
}

export function traffic(history) {
	const times = history.times;
	const errors = ['server', 'client'].flatMap((side) => history.suffixes(`${side}Errors.`).map((status) => ({
		name: `${side} ${words(status)}`, color: STATUS_COLORS[status] ?? 7, values: history.series(`${side}Errors.${status}`),
		dashed: side === 'client' && history.moved(`serverErrors.${status}`) })));
	return row(
		chart({ title: 'Calls per second', times, format: figure, series: ofBoth(history, 'Calls') }),
		chart({ title: 'Errors per second', times, format: rate, stacked: true, empty: 'No error in the last 15 minutes.',
			series: errors }),
		chart({ title: 'Time of a call, each 5 s', times, format: duration, series: [
			line(history, 'server p50', 'serverP50', SERVER, true), line(history, 'server p99', 'serverP99', SERVER),
			line(history, 'client p50', 'clientP50', CLIENT, true), line(history, 'client p99', 'clientP99', CLIENT)] }));
}

export function waiting(history) {
	const times = history.times;
	return row(
		chart({ title: 'Calls under way', times, format: count, whole: true, series: [
			line(history, 'in flight', 'inFlight', SERVER), line(history, 'pending', 'pending', CLIENT),
			line(history, 'queued', 'queued', 4, true), line(history, 'held', 'held', 5, true),
			...['client', 'server'].filter((side) => history.moved(`${side}MemoryWaiting`))
				.map((side) => line(history, `wait for memory of the ${side}`, `${side}MemoryWaiting`, 6, true))] }),
		history.has('poolThreads') && chart({ title: 'Threads of the pool', times, format: count, whole: true, series: [
			line(history, 'busy', 'poolBusy', SERVER), line(history, 'calls that wait', 'poolWaiting', 4),
			line(history, 'most', 'poolThreads', 7, true)] }),
		chart({ title: 'Memory for arguments and results', times, format: bytes, binary: true, series: ofBoth(history, 'Memory') }));
}

export function transport(history) {
	const times = history.times;
	const occurred = [...history.suffixes('serverFlushes.'), ...history.suffixes('clientFlushes.')];
	const reasons = Object.keys(REASON_COLORS).filter((reason) => occurred.includes(reason));
	return row(
		chart({ title: 'Frames per write', times, format: (value) => known(value) ? value.toFixed(1) : '–', series: ofBoth(history, 'Batch') }),
		chart({ title: 'Writes per second, by reason', times, format: figure, stacked: true, empty: 'Nothing was written in the last 15 minutes.',
			series: reasons.map((reason) => ({ name: words(reason), color: REASON_COLORS[reason], values: sum(history, reason) })) }),
		chart({ title: 'Event loops busy', times, format: percent, max: 0.1, series: ofBoth(history, 'LoopsBusy') }),
		chart({ title: 'Tasks that wait for event loops', times, format: count, whole: true, series: ofBoth(history, 'LoopTasks') }),
		chart({ title: 'Connections', times, format: count, whole: true, series: ofBoth(history, 'Connections') }),
		chart({ title: 'Processor of this process', times, format: percent, max: 0.1, series: [line(history, 'processor', 'processCpu', 7)] }));
}

function sum(history, reason) {
	const server = history.series(`serverFlushes.${reason}`);
	const client = history.series(`clientFlushes.${reason}`);
	return server.map((value, index) => known(value) || known(client[index]) ? (value ?? 0) + (client[index] ?? 0) : null);
}

export function trouble(history) {
	const times = history.times;
	const none = 'None in the last 15 minutes.';
	return row(
		chart({ title: 'Lost and dropped per second', times, format: rate, empty: none, series: [
			line(history, 'lost one-way calls', 'lostCalls', 4), line(history, 'dropped one-way calls', 'droppedCalls', 5, true),
			line(history, 'dropped results', 'droppedResults', SERVER)] }),
		chart({ title: 'Late and sent again per second', times, format: rate, empty: none, series: [
			line(history, 'expired', 'expired', 4), line(history, 'cancelled', 'cancelled', 5, true), line(history, 'sent again', 'resent', CLIENT)] }),
		chart({ title: 'Connects per second', times, format: rate, empty: none, series: [
			line(history, 'connected', 'connects', 3), line(history, 'failed', 'connectFailures', 4, true)] }));
}

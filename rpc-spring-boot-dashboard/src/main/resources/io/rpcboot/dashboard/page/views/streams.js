import { h } from '../dom.js';
import { bytes, count, duration, known, rate, words } from '../format.js';
import { badge, heading, peerLink, section } from '../parts.js';
import { table } from '../table.js';
import { method } from './columns.js';

const MOODS = { WINDOW: 'warn', SOCKET: 'warn', CONSUMER: 'warn' };

const HELP = { PRODUCER: 'The publisher here was asked and has no element', WINDOW: 'The subscriber of the peer takes too little',
	SOCKET: 'The socket is full: the network or the peer is slow', PEER: 'No element has arrived that was not delivered',
	CONSUMER: 'The subscriber here takes too little', NOTHING: 'Elements pass', END: 'No element follows' };

function direction(field, title, verb) {
	const of = (read) => (row) => row[field] ? read(row[field]) : -1;
	const shown = (read) => (row) => row[field] ? read(row[field]) : '';
	return [
		{ title, number: true, help: `Elements that this side ${verb}`, cell: shown((each) => count(each.count)), value: of((each) => each.count) },
		{ title: `${title}/s`, number: true, help: 'Elements per second since the last look', cell: shown((each) => rate(each.perSecond)), value: of((each) => each.perSecond) },
		{ title: `${title} bytes`, number: true, cell: shown((each) => bytes(each.bytes)), value: of((each) => each.bytes) },
		{ title: `${title} waits for`, cell: shown((each) => waits(each.waitsFor)), value: (row) => row[field]?.waitsFor ?? '' }];
}

function waits(what) {
	return h('span', { title: HELP[what] }, MOODS[what] ? badge(what, MOODS[what]) : words(what));
}

const columns = [
	method,
	{ title: 'Peer', cell: peerLink, value: (row) => row.peer },
	{ title: 'Age', number: true, cell: (row) => duration(row.ageMillis), value: (row) => known(row.ageMillis) ? row.ageMillis : -1 },
	...direction('sent', 'Sent', 'has sent'),
	...direction('received', 'Received', 'has received')];

function streamTable(context, side, rows, nothing) {
	return table(context, { id: side, caption: `Open streams of the ${side}`, rows, key: (row) => `${row.number} ${row.peer}`, sort: [2, true],
		text: (row) => `${row.service} ${row.method} ${row.peer} ${words(row.sent?.waitsFor)} ${words(row.received?.waitsFor)}`, empty: nothing, columns });
}

export const streams = {
	data: () => ({ streams: ['streams'] }),
	draw: (state, draw) => {
		const { server, client, leftOut } = state.data.streams;
		const context = { settings: state.settings, draw };
		return [
			heading('Streams', h('p', {}, 'Streams that are open now, and which side waits for which.')),
			section('From clients', {}, streamTable(context, 'server', server, 'No client has a stream open.')),
			section('To servers', {}, streamTable(context, 'client', client, 'No stream to a server is open.')),
			leftOut > 0 && h('p', { class: 'note' }, `${count(leftOut)} more are open; these are the oldest.`)];
	}
};

import { h } from '../dom.js';
import { bytes, count, known, percent, UNKNOWN, words } from '../format.js';
import { connectionLink, empty, facts, heading, instanceLink, section, sideTag } from '../parts.js';
import { table } from '../table.js';

function batch(value) {
	return known(value) && value > 0 ? value.toFixed(1) : UNKNOWN;
}

function encryption(connection) {
	return connection.encrypted ? 'encrypted' : 'clear text';
}

function numberColumn(title, field, help, mood) {
	return { title, number: true, help, cell: (row) => count(row[field]), value: (row) => row[field], mood };
}

function columns(side) {
	return [
		{ title: 'Remote', cell: (row) => connectionLink(side, row.remote), value: (row) => row.remote },
		{ title: 'Application', cell: (row) => row.application, value: (row) => row.application },
		{ title: 'Identity', cell: (row) => row.identity, value: (row) => row.identity, help: 'Name that the other side has proved' },
		{ title: 'Protocol', cell: (row) => words(row.protocol), value: (row) => row.protocol },
		{ title: 'TLS', cell: encryption, value: encryption },
		numberColumn('Pending', 'pending', side === 'client' ? 'Calls that wait for a reply' : 'Calls whose answer is not written yet'),
		numberColumn('Waiting', 'held', side === 'client' ? 'Long calls that wait for memory of the server'
			: 'Calls that wait for the contract of their client, and answers that wait for the socket', (row) => row.held > 0 && 'warn'),
		{ title: 'Free grants', number: true, help: 'Calls granted and not used yet', cell: (row) => count(row.grantedCalls - row.usedCalls),
			value: (row) => row.grantedCalls - row.usedCalls, mood: (row) => row.grantedCalls - row.usedCalls <= 0 && 'warn' },
		{ title: 'Batch', number: true, help: 'Frames per write, averaged over the recent ones', cell: (row) => batch(row.averageBatch), value: (row) => row.averageBatch },
		{ title: 'Batching', cell: (row) => words(row.batching), value: (row) => row.batching },
		numberColumn('Frames', 'messages', 'Written since it connected'),
		numberColumn('Socket full', 'stalls', 'Writes after which the socket took no more')];
}

function connectionTable(context, side, rows, nothing) {
	return table(context, { id: side, caption: `Connections of the ${side}`, rows, key: (row) => row.remote, sort: [5, true],
		text: (row) => `${row.remote} ${row.application} ${row.identity} ${encryption(row)}`, empty: nothing, columns: columns(side) });
}

export const connections = {
	data: () => ({ connections: ['connections'] }),
	draw: (state, draw) => {
		const { server, client, leftOut } = state.data.connections;
		const context = { settings: state.settings, draw };
		return [
			heading('Connections', h('p', {}, 'Who is connected to this application, and to whom it is.')),
			section('From clients', {}, connectionTable(context, 'server', server, 'No client is connected.')),
			section('To servers', {}, connectionTable(context, 'client', client, 'No connection to a server is open.')),
			leftOut > 0 && h('p', { class: 'note' }, `${count(leftOut)} more are open; these are the busiest.`)];
	}
};

export const connection = {
	data: (route) => ({ connection: ['connections', ...route.slice(1)] }),
	draw: (state) => {
		const [, side, remote] = state.route;
		const found = state.data.connection.connections;
		return [
			heading(remote, h('p', {}, sideTag(side), ` connection${found[0].application ? ` ${side === 'client' ? 'to' : 'from'} ${found[0].application}` : ''}`)),
			found.map((one, index) => section(found.length > 1 ? `Connection ${index + 1}` : 'Connection', {},
				facts(side === 'client' && ['Instance', instanceLink(remote)], ['Identity', one.identity], ['Protocol', words(one.protocol)], ['TLS', encryption(one)],
					['Pending calls', count(one.pending)], [side === 'client' ? 'Calls that wait for memory there' : 'Calls and answers that wait', count(one.held)],
					[side === 'client' ? 'Granted by the server, not used yet' : 'Granted to the client, not used yet', `${count(one.grantedCalls - one.usedCalls)} calls, ${bytes(one.grantedBytes - one.usedBytes)}`],
					['Calls so far', count(one.usedCalls)], ['Batching', words(one.batching)], ['Frames per write', batch(one.averageBatch)],
					['Frames written', count(one.messages)], ['Writes that filled the socket', count(one.stalls)]),
				h('h3', {}, 'Why it wrote'), reasons(one.flushes ?? {})))];
	}
};

const REASONS = { DRAINED: 'the queue was empty', MESSAGES: 'the batch had its most frames', BYTES: 'the batch had its most bytes',
	DELAY: 'the longest delay was over', UNWRITABLE: 'the socket took no more', CLOSE: 'the connection closed' };

function reasons(flushes) {
	const all = Object.values(flushes).reduce((sum, value) => sum + value, 0);
	if (all === 0) {
		return empty('It has not flushed yet.');
	}
	return h('div', { class: 'gauges' }, Object.entries(flushes).filter(([, value]) => value > 0).sort((left, right) => right[1] - left[1]).map(([reason, value]) =>
		h('div', { class: 'gauge', key: reason }, h('span', { class: 'gauge-name' }, REASONS[reason] ?? words(reason)),
			h('span', { class: 'gauge-text' }, `${count(value)} · ${percent(value / all)}`),
			h('div', { class: 'track', vars: { '--share': (value / all).toFixed(3) } }, h('div', {})))));
}

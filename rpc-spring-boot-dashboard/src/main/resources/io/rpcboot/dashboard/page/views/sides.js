// The two halves of a process: what it answers and what it asks, each with its limits.

import { h } from '../dom.js';
import { bytes, count, date, duration, figure, known, percent, words } from '../format.js';
import { badge, empty, facts, gauge, section, stat, stateBadge } from '../parts.js';
import { link } from '../router.js';
import { ENOUGH } from './columns.js';

const WINDOW_SECONDS = 5;

export function server(server, tls) {
	if (!server) {
		return section('Server', { class: 'of-server' }, empty('No server is running. A bean with @RpcService starts one.'));
	}
	const pool = server.pool ?? {};
	return section('Server', { class: 'of-server', aside: stateBadge(server.state) }, figures(server),
		h('div', { class: 'gauges' },
			gauge('Threads busy', pool.busy, pool.maxThreads, count),
			gauge('Memory', server.memory?.used, server.memory?.limit, bytes),
			loops(server.loops)),
		facts(server.reason && ['Taken out', `${server.reason}, since ${date(server.since)}`], ['In flight', count(server.inFlightCalls)], ['Wait for a thread', count(pool.waiting)],
			['Connections', h('a', { href: link('connections') }, count(server.connections))],
			server.openStreams > 0 && ['Open streams', h('a', { href: link('streams') }, count(server.openStreams))],
			['Services', h('a', { href: link('services') }, count(server.services))], ...batching(server), ['Port', String(server.port ?? '')]),
		encryption(tls, 'server'));
}

export function client(client, tls) {
	if (!client) {
		return section('Client', { class: 'of-client' }, empty('Nothing is called from here. A field with @RpcReference brings a client.'));
	}
	return section('Client', { class: 'of-client' }, figures(client),
		h('div', { class: 'gauges' },
			gauge('Pending calls', client.pendingCalls, client.maxPendingCalls, count),
			gauge('Memory', client.memory?.used, client.memory?.limit, bytes),
			loops(client.loops)),
		facts(['Queued', count(client.queuedCalls)], ['Connections', h('a', { href: link('connections') }, count(client.connections))],
			client.openStreams > 0 && ['Open streams', h('a', { href: link('streams') }, count(client.openStreams))],
			['References', h('a', { href: link('references') }, count(client.references))], ...batching(client)),
		encryption(tls, 'client'));
}

const VALIDITY = { VALID: 'good', EXPIRING: 'warn', EXPIRED: 'bad' };

/** The bundles of a side with their certificates; nothing for clear text. */
function encryption(tls, side) {
	return (tls ?? []).filter((each) => each.side === side).map((each) => h('div', { class: 'tls', key: each.bundle },
		h('h3', {}, `TLS by the bundle “${each.bundle}”`),
		facts(['Mode', each.mode], ['Certificate', each.subject || 'none'], each.names?.length > 0 && ['Names', each.names.join(', ')],
			each.state && ['Valid until', badge(each.state, VALIDITY[each.state] ?? 'warn'), ` ${date(each.notAfter)}`],
			each.problem && ['Changed bundle is not used', each.problem])));
}

function figures(side) {
	return h('dl', { class: 'stats' },
		stat('Calls/s, last minute', figure(side.callsPerSecond)),
		stat('Errors/s, last minute', figure(side.errorsPerSecond), '', side.errorsPerSecond > 0 ? 'bad' : ''),
		stat('p50, newest 5 s', duration(side.p50Millis)),
		stat('p99, newest 5 s', duration(side.callsPerSecond * WINDOW_SECONDS < ENOUGH ? null : side.p99Millis), '', '',
			`One call in a hundred took longer; unknown with fewer than ${ENOUGH} calls in ${WINDOW_SECONDS} s`));
}

function loops(loops) {
	const share = loops?.busyShare;
	return gauge(`Event loops${known(loops?.threads) ? ` (${loops.threads})` : ''} busy`, share, known(share) ? 1 : 0, percent, percent(share));
}

function batching(side) {
	return [['Frames per write', known(side.batch) && side.batch > 0 ? side.batch.toFixed(1) : ''], ['Batching', words(side.batching)]];
}

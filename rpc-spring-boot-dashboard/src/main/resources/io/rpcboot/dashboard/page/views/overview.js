// In one look: what is slow, where it waits, and why.

import { h } from '../dom.js';
import { count, date, duration, known } from '../format.js';
import { HISTORY_OFF, empty, facts, section, stateBadge } from '../parts.js';
import { link } from '../router.js';
import { table } from '../table.js';
import { callTable, nothing } from './calls.js';
import { methodColumns, methodKey } from './columns.js';
import { findings } from './findings.js';
import { instanceColumns } from './instances.js';
import { flow } from './flow.js';
import { referenceColumns } from './references.js';
import { client, server } from './sides.js';
import { traffic, transport, trouble, waiting } from './trends.js';

const FEW = 8;

export const overview = {
	history: true,
	data: () => ({ calls: ['calls'], instances: ['instances'], connections: ['connections'] }),
	draw: (state, draw) => {
		const context = { settings: state.settings, draw };
		const { summary, history, data } = state;
		return [
			h('div', { class: 'heading' }, h('h1', { tabindex: '-1' }, 'Overview'), about(summary)),
			findings(summary),
			sides(summary),
			trends('Traffic', history, traffic),
			h('div', { class: 'columns wide-left' },
				section('Busiest methods', { aside: h('a', { href: link('methods') }, 'All methods') }, table(context, { id: 'busiest',
					caption: 'Busiest methods', rows: summary.methods ?? [], key: methodKey, text: (row) => `${row.side} ${row.service} ${row.method}`,
					filter: false, part: 12, empty: summary.methods ? 'No method has been called yet.' : HISTORY_OFF,
					columns: methodColumns(true) })),
				h('div', { class: 'stack' },
					section('Slowest calls', { aside: h('a', { href: link('calls') }, 'All') }, callTable(context, 'slowest', oneOfEach(data.calls.slowest)?.slice(0, 5), nothing(data.calls.slowest, 'No call has ended in the last 15 minutes.'), 5)),
					section('Failed calls', { aside: h('a', { href: link('calls') }, 'All') }, callTable(context, 'failed', data.calls.failed?.slice(0, 5), nothing(data.calls.failed, history.moved('resent')
						? 'No call has failed lately, but some were sent again: see “Late and sent again per second”.' : 'No call has failed lately.'), 5)))),
			section('Who calls whom', { aside: h('span', { class: 'quiet' }, 'as far as this process knows') }, flow(summary, data.connections, data.instances.instances)),
			history.available && trends('Where calls wait', history, waiting),
			h('div', { class: 'columns wide-right' },
				section('References', { aside: h('a', { href: link('references') }, summary.client ? `All ${count(summary.client.references)}` : 'All') }, table(context, { id: 'references',
					caption: 'References, those that are not ready first', rows: summary.references ?? [], key: (row) => row.service, text: (row) => row.service,
					filter: false, part: FEW, empty: 'This application calls no service. A field with @RpcReference is a reference.', columns: referenceColumns })),
				section('Instances', { aside: h('a', { href: link('instances') }, 'All') }, table(context, { id: 'instances', caption: 'Instances, those in trouble first',
					rows: data.instances.instances, key: (row) => row.endpoint, text: (row) => row.endpoint, filter: false, part: FEW, sort: [2, false],
					empty: 'No instance is known. There is none until this application has a reference.', columns: instanceColumns.filter((column) => column.title !== 'Connections') }))),
			history.available && trends('Batching and transport', history, transport),
			history.available && trends('Lost, late and sent again', history, trouble)];
	}
};

/** Both sides; none that is missing beside one that is there. */
function sides(summary) {
	if (Boolean(summary.server) === Boolean(summary.client)) {
		return h('div', { class: 'columns two' }, server(summary.server, summary.tls), client(summary.client, summary.tls));
	}
	return summary.server ? server(summary.server, summary.tls) : client(summary.client, summary.tls);
}

/** The slowest call of each method and minute, because one burst would hide the others. */
function oneOfEach(calls) {
	const seen = new Set();
	return calls?.filter((call) => {
		const kind = `${call.side} ${call.service} ${call.method} ${Math.floor(call.at / 60000)}`;
		return !seen.has(kind) && seen.add(kind);
	});
}

function trends(title, history, charts) {
	return section(title, {}, history.available ? charts(history) : empty(HISTORY_OFF));
}

function about(summary) {
	return facts(
		['Registry', summary.registry ? [stateBadge(summary.registry.state), ' ', summary.registry.description,
			summary.registry.state !== 'CONNECTED' && known(summary.registry.since) ? ` since ${date(summary.registry.since)}` : ''] : 'none'],
		['Up', known(summary.startedAt) ? duration(summary.at - summary.startedAt) : ''],
		['Version', [summary.version, summary.java && `Java ${summary.java}`].filter(Boolean).join(' on ')]);
}

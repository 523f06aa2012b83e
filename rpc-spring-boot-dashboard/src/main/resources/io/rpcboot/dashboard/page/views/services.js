import { h } from '../dom.js';
import { count, rate, shortName, words } from '../format.js';
import { HISTORY_OFF, code, facts, heading, section, serviceLink } from '../parts.js';
import { table } from '../table.js';
import { callLink } from './invoke.js';
import { callRate, errorRate, methodColumns, methodKey, of, total, worstP99 } from './columns.js';

export const services = {
	data: () => ({ services: ['services'] }),
	draw: (state, draw) => [
		heading('Services', h('p', {}, 'What this application offers to others.')),
		section('Offered services', {}, table({ settings: state.settings, draw }, {
			id: 'services', caption: 'Offered services', rows: state.data.services.services ?? [], key: (row) => row.service,
			text: (row) => row.service, sort: [2, true],
			empty: 'This application offers no service. A bean with @RpcService is one.',
			columns: [
				{ title: 'Service', cell: (row) => serviceLink(row.service), value: (row) => shortName(row.service) },
				{ title: 'Methods', number: true, cell: (row) => count(row.methods), value: (row) => row.methods },
				callRate, errorRate, worstP99, total]
		}))]
};

export const service = {
	data: (route) => ({ service: ['services', route[1]] }),
	draw: (state, draw) => {
		const service = state.data.service;
		const statistics = of(service.methods, 'server', state.route[1]);
		const known = new Set(statistics.map((row) => row.method));
		const uncalled = (service.signatures ?? []).filter((signature) => !known.has(signature));
		return [
			heading(shortName(state.route[1]), h('p', {}, code(state.route[1]))),
			section('Service', {}, facts(
				['Calls since the start', count(service.calls)],
				['Calls/s, last minute', rate(sum(statistics, 'callsPerSecond'))],
				['Serializers', (service.serializers ?? []).join(', ')],
				['Most threads', service.maxThreads === null || service.maxThreads === undefined ? 'as many as the server gives' : count(service.maxThreads)],
				service.openStreams > 0 && ['Open streams', service.maxStreams ? `${count(service.openStreams)} of ${count(service.maxStreams)}` : count(service.openStreams)],
				['Runs on', (service.dispatch ?? []).map(words).filter((word, index, all) => all.indexOf(word) === index).join(', ')],
				service.grpcName && ['Name in gRPC', code(service.grpcName)],
				service.allow && ['Callers by list', service.allow.join(', ') || 'none'],
				['Contract', code(service.contractHash ?? '')]),
				service.rules?.length > 0 && [h('h3', {}, 'Rules that may decide'), h('ul', { class: 'plain' }, service.rules.map((rule) => h('li', { key: rule }, code(rule))))]),
			section('Methods', {}, table({ settings: state.settings, draw }, {
				id: 'methods', caption: 'Methods of this service', rows: statistics, key: methodKey, text: (row) => row.method, sort: [1, true],
				empty: service.methods ? 'None of its methods has been called.' : HISTORY_OFF,
				columns: [...methodColumns(false), { title: 'Form', cell: (row) => callLink(service.service, row.method) }]
			})),
			uncalled.length > 0 && section('Not called yet', {}, h('ul', { class: 'plain' }, uncalled.map((signature) => h('li', { key: signature }, code(signature), ' ', callLink(service.service, signature)))))];
	}
};

function sum(rows, field) {
	return rows.reduce((all, row) => all + (row[field] || 0), 0);
}

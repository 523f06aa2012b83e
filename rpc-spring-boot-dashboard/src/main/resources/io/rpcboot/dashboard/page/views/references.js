import { h } from '../dom.js';
import { count, shortName } from '../format.js';
import { HISTORY_OFF, badge, code, facts, heading, instanceLink, section, serviceLink } from '../parts.js';
import { table } from '../table.js';
import { application, callsAtInstance, connections, methodColumns, methodKey, of, pending, placement, state as stateColumn } from './columns.js';
import { leftOut } from './instances.js';

export function readiness(reference) {
	return badge(reference.ready ? 'ready' : 'not ready', reference.ready ? 'good' : 'bad');
}

function retriesLeft(retries) {
	return retries ? `${count(retries.left)} of ${count(retries.most)}` : '';
}

export const referenceColumns = [
	{ title: 'Service', cell: (row) => serviceLink(row.service, 'client'), value: (row) => shortName(row.service) },
	{ title: 'State', cell: readiness, value: (row) => row.ready ? 1 : 0 },
	{ title: 'Instances', number: true, cell: (row) => `${count(row.readyInstances)} of ${count(row.instances)}`, value: (row) => row.readyInstances,
		mood: (row) => row.readyInstances < row.instances && 'warn', help: 'Instances that take calls, of all that are known' },
	{ title: 'Waiting', number: true, cell: (row) => count(row.waitingCalls), value: (row) => row.waitingCalls,
		mood: (row) => row.waitingCalls > 0 && 'warn', help: 'Calls that wait for an instance with a grant and room' },
	{ title: 'Retry budget', number: true, cell: (row) => retriesLeft(row.retries), value: (row) => row.retries ? row.retries.left : -1,
		mood: (row) => row.retries && row.retries.left < row.retries.most / 4 && 'warn',
		help: 'Failed calls that may be repeated now, of the most that may be saved' }];

export const references = {
	data: () => ({ references: ['references'] }),
	draw: (state, draw) => [
		heading('References', h('p', {}, 'What this application calls.')),
		section('All references', {}, table({ settings: state.settings, draw }, {
			id: 'references', caption: 'All references', rows: state.data.references.references, key: (row) => row.service, sort: [1, false],
			text: (row) => `${row.service} ${row.source} ${row.ready ? 'ready' : 'not ready'}`,
			empty: 'This application calls no service. A field with @RpcReference is a reference.',
			columns: [...referenceColumns, { title: 'Source', wide: true, cell: (row) => row.source ?? '', value: (row) => row.source }]
		}))]
};

export const reference = {
	data: (route) => ({ reference: ['references', route[1]] }),
	draw: (state, draw) => {
		const reference = state.data.reference;
		const context = { settings: state.settings, draw };
		return [
			heading(shortName(state.route[1]), h('p', {}, code(state.route[1]))),
			section('Reference', {}, facts(['State', readiness(reference)], ['Instances from', reference.source ?? ''],
				['Calls that wait for an instance', count(reference.waitingCalls)],
				['Retry budget', retriesLeft(reference.retries) || 'no call is repeated'])),
			section('Instances', {}, table(context, { id: 'instances', caption: 'Instances of this service', rows: reference.instances,
				key: (row) => `${row.endpoint} ${row.id}`, text: (row) => `${row.endpoint} ${row.application} ${row.state} ${row.problem}`, sort: [2, false],
				empty: `No instance of it is known to ${reference.source ?? 'the registry'}. Start one, or check its name, version and group.`,
				columns: [{ title: 'Instance', cell: (row) => instanceLink(row.endpoint), value: (row) => row.endpoint },
					application, stateColumn, ...callsAtInstance, pending, connections, placement,
					{ title: 'Reason', wide: true, cell: (row) => row.problem || row.slowness || '' }] })),
			leftOut(reference.instancesLeftOut),
			section('Methods', {}, table(context, { id: 'methods', caption: 'Methods of this service', rows: of(reference.methods, 'client', state.route[1]),
				key: methodKey, text: (row) => row.method, sort: [1, true],
				empty: reference.methods ? 'None of its methods has been called from here.' : HISTORY_OFF,
				columns: methodColumns(false) }))];
	}
};

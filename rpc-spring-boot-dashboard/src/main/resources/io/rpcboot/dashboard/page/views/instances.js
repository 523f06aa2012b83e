import { h } from '../dom.js';
import { count, date } from '../format.js';
import { code, empty, facts, heading, instanceLink, section, serviceLink, stateBadge } from '../parts.js';
import { link } from '../router.js';
import { table } from '../table.js';
import { application, callsAtInstance, connections, failures, pending, placement, state as stateColumn } from './columns.js';

const TROUBLE = ['INCOMPATIBLE', 'BACKING_OFF', 'FROZEN', 'EJECTED', 'DRAINING', 'CONNECTING', 'READY'];

export const instanceColumns = [
	{ title: 'Instance', cell: (row) => instanceLink(row.endpoint), value: (row) => row.endpoint },
	application,
	{ ...stateColumn, value: (row) => TROUBLE.indexOf(row.state) },
	pending, connections,
	{ title: 'Reason', wide: true, cell: (row) => row.problem ?? '' }];

const [calls, failed, p50, p99] = callsAtInstance;

export function leftOut(number) {
	return number > 0 && h('p', { class: 'note' }, `${count(number)} more are known; those that take no calls come first.`);
}

export const instances = {
	data: () => ({ instances: ['instances'] }),
	draw: (state, draw) => [
		heading('Instances', h('p', {}, 'Running copies of the services that this application calls.')),
		section('All instances', {}, table({ settings: state.settings, draw }, {
			id: 'instances', caption: 'All instances', rows: state.data.instances.instances, key: (row) => row.endpoint, sort: [2, false],
			text: (row) => `${row.endpoint} ${row.application} ${row.state} ${row.problem}`,
			empty: 'No instance is known. There is none until this application has a reference.',
			columns: [...instanceColumns.slice(0, 3), calls, failed, p50, p99, ...instanceColumns.slice(3, 5), placement, { title: 'Services', number: true, cell: (row) => count(row.services),
				value: (row) => row.services }, instanceColumns[5]]
		})),
		leftOut(state.data.instances.leftOut)]
};

export const instance = {
	data: (route) => ({ instance: ['instances', route[1]] }),
	draw: (state, draw) => {
		const instance = state.data.instance;
		const services = (instance.services ?? []).map((service) => ({ service, calls: instance.callsByService?.[service] }));
		return [
			heading(state.route[1], h('p', {}, instance.application || 'a fixed address')),
			section('Instance', {}, facts(['State', stateBadge(instance.state)], instance.problem && ['Reason', instance.problem],
				instance.slowness && ['Slower than the others', instance.slowness],
				failures(instance.calls) && ['Failed in the last minute', failures(instance.calls)],
				['Pending calls', count(instance.pendingCalls)],
				['Connections', instance.connections > 0 ? h('a', { href: link('connections', 'client', instance.endpoint) }, count(instance.connections)) : '0'],
				['Weight', count(instance.weight)], instance.zone && ['Zone', instance.zone], instance.tag && ['Tag', instance.tag],
				instance.startedAt > 0 && ['Started', date(instance.startedAt)], instance.id && ['Id', code(instance.id)])),
			section('Services', {}, services.length === 0 ? empty('It offers nothing that this application calls.')
				: table({ settings: state.settings, draw }, { id: 'services', caption: 'Services that are called there', rows: services,
					key: (row) => row.service, text: (row) => row.service, sort: [0, false], empty: '',
					columns: [{ title: 'Service', cell: (row) => serviceLink(row.service, 'client'), value: (row) => row.service },
						calls, failed, p50, p99, { title: 'Full name', wide: true, cell: (row) => code(row.service) }] }))];
	}
};

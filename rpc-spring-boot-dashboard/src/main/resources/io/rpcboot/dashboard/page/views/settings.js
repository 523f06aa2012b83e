import { h } from '../dom.js';
import { bytes, count } from '../format.js';
import { code, heading, section } from '../parts.js';
import { table } from '../table.js';

const HIDDEN = '******';

export const settings = {
	data: () => ({ settings: ['settings'] }),
	draw: (state, draw) => [
		heading('Settings', h('p', {}, 'What is in force, and where it was set.')),
		(state.data.settings.settings ?? []).every((row) => row.value === HIDDEN) && h('p', { class: 'note' },
			'Values are hidden. ', code('management.endpoint.rpc.show-values=when-authorized'), ' shows them to users who have signed in.'),
		section('Properties', {}, table({ settings: state.settings, draw }, {
			id: 'settings', caption: 'Properties in force', rows: state.data.settings.settings ?? [], key: (row) => row.property, part: 200, sort: [2, false],
			text: (row) => `${row.property} ${row.value} ${row.origin}`, empty: 'No property of rpc is known.',
			columns: [
				{ title: 'Property', cell: (row) => code(row.property), value: (row) => row.property },
				{ title: 'Value', wide: true, cell: (row) => [value(row.value), actual(row, state.summary), row.next && h('span', { class: 'quiet' }, ` next start: ${row.next.value ?? 'default'} (${row.next.origin})`)], value: (row) => String(row.value) },
				{ title: 'Set in', wide: true, cell: (row) => row.origin === 'default' ? h('span', { class: 'quiet' }, 'default') : row.origin,
					value: (row) => row.origin === 'default' ? '~' : row.origin }]
		}))]
};

/** What 0 came to, where the application knows it. */
function actual(row, summary) {
	const [, side, rest] = /^rpc\.(server|client)\.(.+)$/.exec(row.property) ?? [];
	const process = summary?.[side];
	if (rest === 'memory.limit' && parseFloat(row.value) === 0 && process?.memory) {
		return h('span', { class: 'quiet' }, ` now ${bytes(process.memory.limit)}`);
	}
	return rest === 'event-loop.threads' && String(row.value) === '0' && process?.loops
		&& h('span', { class: 'quiet' }, ` now ${count(process.loops.threads)}`);
}

function value(value) {
	return value === '' || value === null || value === undefined ? h('span', { class: 'quiet' }, 'empty')
		: typeof value === 'object' ? JSON.stringify(value) : String(value);
}

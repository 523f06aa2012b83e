// What is at the top of every view: which application this is, where one can go, and how old the numbers are.

import { h } from './dom.js';
import { time } from './format.js';
import { link } from './router.js';
import { isDark, switchTheme } from './theme.js';

const PLACES = [['overview', 'Overview'], ['services', 'Services'], ['methods', 'Methods'], ['references', 'References'],
	['instances', 'Instances'], ['connections', 'Connections'], ['streams', 'Streams'], ['calls', 'Calls'], ['settings', 'Settings']];

const SUN = 'M12 7a5 5 0 1 0 0 10a5 5 0 0 0 0-10ZM12 1v3M12 20v3M1 12h3M20 12h3M4.2 4.2l2.1 2.1M17.7 17.7l2.1 2.1'
	+ 'M4.2 19.8l2.1-2.1M17.7 6.3l2.1-2.1';
const MOON = 'M20.5 14.5A8.5 8.5 0 0 1 9.5 3.5a8.5 8.5 0 1 0 11 11Z';

export function header(state, refresh) {
	return h('div', { class: 'bar' },
		h('a', { class: 'brand', href: link('overview') },
			h('svg:svg', { viewBox: '0 0 32 32', 'aria-hidden': 'true' },
				h('svg:path', { d: 'M5 12h19l-5-5M27 20H8l5 5' })),
			h('span', {}, state.summary?.application || 'RPC')),
		h('nav', { 'aria-label': 'Views' }, PLACES.map(([place, name]) => h('a', { key: place, href: link(place),
			'aria-current': state.route[0] === place ? (state.route.length > 1 ? 'true' : 'page') : null }, name))),
		h('div', { class: 'tools' }, age(state, refresh), themeSwitch()));
}

function age(state, refresh) {
	const gone = Boolean(state.problem) && state.problem.kind !== 'absent';
	const text = gone ? (state.updatedAt ? `Stopped at ${time(state.updatedAt)}` : 'No data')
		: state.updatedAt ? `Live · ${time(state.updatedAt)}` : 'Loading';
	return h('button', { class: `age ${gone ? 'bad' : 'good'}`, type: 'button', onClick: refresh,
		title: 'Every 5 seconds while this page is in sight. Press to ask now.' }, text);
}

function themeSwitch() {
	const dark = isDark();
	return h('button', { class: 'theme', type: 'button', onClick: switchTheme, 'aria-pressed': String(dark),
		'aria-label': 'Dark colours', title: dark ? 'Light colours' : 'Dark colours' },
	h('svg:svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('svg:path', { d: dark ? SUN : MOON })));
}

// Small pieces that the views are made of.

import { h } from './dom.js';
import { UNKNOWN, known, percent, shortMethod, shortName, words } from './format.js';
import { link } from './router.js';

export const HISTORY_OFF = 'The history is off: rpc.history.enabled turns it on.';

export function heading(title, ...more) {
	return h('div', { class: 'heading' }, h('h1', { tabindex: '-1' }, title), ...more);
}

export function section(title, props, ...children) {
	const id = `s-${title.toLowerCase().replace(/[^a-z]+/g, '-')}`;
	return h('section', { key: id, 'aria-labelledby': id, class: `card ${props.class ?? ''}` },
		h('div', { class: 'card-head' }, h('h2', { id }, title), props.aside), ...children);
}

/** A state in a word; the shape beside it says the same as the colour. */
export function badge(constant, mood) {
	return h('span', { class: `badge ${mood}` }, words(constant));
}

const MOODS = { ACCEPTING: 'good', READY: 'good', CONNECTED: 'good', OFFLINE: 'warn', DRAINED: 'warn', DRAINING: 'warn', CONNECTING: 'warn',
	EJECTED: 'bad', FROZEN: 'bad', BACKING_OFF: 'bad', INCOMPATIBLE: 'bad', DOWN: 'bad' };

export function stateBadge(constant) {
	return badge(constant, MOODS[constant] ?? 'warn');
}

/** A large figure under its name. */
export function stat(name, value, unit, mood, help) {
	return h('div', { class: `stat ${mood ?? ''}`, key: name, title: help }, h('dt', {}, name),
		h('dd', {}, value, unit && value !== UNKNOWN && h('small', {}, ` ${unit}`)));
}

/** How much of a limit is used; `format` writes both, unless the text is given. */
export function gauge(name, value, limit, format, given) {
	const share = known(value) && limit > 0 ? Math.min(1, value / limit) : 0;
	const mood = share >= 0.95 ? 'bad' : share >= 0.8 ? 'warn' : '';
	const text = given ?? (limit > 0 ? `${format(value)} of ${format(limit)}` : format(value));
	return h('div', { class: `gauge ${mood}`, key: name },
		h('span', { class: 'gauge-name' }, name), h('span', { class: 'gauge-text' }, text),
		limit > 0 && h('div', { class: 'track', role: 'meter', 'aria-label': name, 'aria-valuemin': '0', 'aria-valuemax': limit,
			'aria-valuenow': known(value) ? Math.min(value, limit) : 0, 'aria-valuetext': `${text}, ${percent(share)}`,
			vars: { '--share': share.toFixed(3) } }, h('div', {})));
}

export function facts(...pairs) {
	return h('dl', { class: 'facts' }, pairs.filter(Boolean).map(([name, ...value]) => h('div', { key: name }, h('dt', {}, name),
		h('dd', {}, ...(value.some((part) => part !== '' && part !== null && part !== undefined) ? value : [UNKNOWN])))));
}

export function empty(...text) {
	return h('p', { class: 'empty' }, ...text);
}

export function sideTag(side) {
	return h('span', { class: `side ${side}` }, side);
}

export function serviceLink(service, side) {
	return h('a', { href: link(side === 'client' ? 'references' : 'services', service), title: service }, shortName(service));
}

export function methodLink(call) {
	return h('a', { href: link('methods', call.side, call.service, call.method), title: `${call.service} ${call.method}` },
		h('span', { class: 'quiet' }, `${shortName(call.service)}.`), h('wbr', {}), shortMethod(call.method));
}

export function instanceLink(endpoint) {
	return h('a', { href: link('instances', endpoint) }, endpoint);
}

export function connectionLink(side, remote) {
	return h('a', { href: link('connections', side, remote) }, remote);
}

/** The other side of a call: an instance, or a connection of a client. */
export function peerLink(call) {
	return call.side === 'client' ? instanceLink(call.peer) : connectionLink(call.side, call.peer);
}

export function code(text) {
	return h('code', {}, text);
}

/** The view of an address that this page does not have. */
export const unknown = {
	draw: (state) => h('div', { class: 'failure' }, h('h1', { tabindex: '-1' }, 'Not here'),
		h('p', {}, 'This page has no ', code(state.route.join('/')), '. ', h('a', { href: link('overview') }, 'Overview')))
};

const EXPOSURE = 'management.endpoints.web.exposure.include';

/** What is shown instead of a view that has no data. */
export function failure(state) {
	const problem = state.problem;
	if (!problem) {
		return empty('Loading …');
	}
	const texts = {
		hidden: ['The numbers are not exposed', 'This page reads the endpoint ', code('rpc'), '. Add ', code('rpc'), ' to ', code(EXPOSURE), '.'],
		login: ['Not signed in', 'The endpoint ', code('rpc'), ' wants a user with more rights. Sign in and load this page again.'],
		absent: ['Not here', 'This application does not know what the address names: it has gone, or belongs to another application. ',
			h('a', { href: link(state.route[0]) }, `All ${state.route[0]}`)],
		gone: ['No answer', 'The application does not answer. This page asks again every 5 seconds and goes on when it does.'],
		broken: ['Something is wrong', problem.message, '. The log of the application says more.']
	};
	const [title, ...text] = texts[problem.kind] ?? texts.broken;
	return h('div', { class: 'failure' }, h('h1', { tabindex: '-1' }, title), h('p', {}, ...text));
}

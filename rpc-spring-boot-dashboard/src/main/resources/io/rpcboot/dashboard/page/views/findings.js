// What the engine thinks is wrong, since when, and what it thought a while ago.

import { h } from '../dom.js';
import { count, date, duration, known, shortNames, time } from '../format.js';
import { code, section } from '../parts.js';
import { own } from '../router.js';

const ORDER = { ERROR: 0, WARNING: 1, NOTE: 2 };
const MOOD = { ERROR: 'bad', WARNING: 'warn', NOTE: 'info' };
const HALF_A_DAY_MILLIS = 12 * 60 * 60 * 1000;

export function findings(summary) {
	const list = summary.findings ?? [];
	const ended = summary.ended ?? [];
	const sorted = [...list].sort((left, right) => (ORDER[left.severity] ?? 3) - (ORDER[right.severity] ?? 3));
	return section('What stands out', { class: 'findings', aside: list.length > 0 && h('span', { class: 'quiet' }, count(list.length)) },
		sorted.length === 0 ? h('p', { class: 'fine' }, ended.length > 0 ? 'The engine finds nothing wrong now.' : 'The engine finds nothing wrong.')
			: h('ul', {}, sorted.map((finding) => current(finding, summary.at))),
		ended.length > 0 && [h('h3', {}, 'Over by now'), h('ol', { class: 'ended' }, ended.map((finding) => over(finding, summary.at)))]);
}

function current(finding, now) {
	return h('li', { key: `${finding.severity} ${finding.kind} ${finding.link} ${finding.property}`, class: MOOD[finding.severity] ?? 'info' },
		h('p', {}, h('b', { class: 'severity' }, finding.severity.toLowerCase()), ' ', said(finding), ' ',
			known(finding.since) && h('span', { class: 'since' }, `Since ${clock(finding.since, now)}${lasted(now - finding.since)}. `), look(finding)),
		(finding.advice || finding.property) && h('p', { class: 'advice' }, shortNames(finding.advice), finding.property && [' ', code(finding.property)]));
}

function over(finding, now) {
	return h('li', { key: `${finding.since} ${finding.kind} ${finding.link}` },
		h('span', { class: 'since' }, span(finding, now)), ' ',
		h('span', { class: MOOD[finding.severity] ?? 'info' }, finding.severity.toLowerCase()), ' ', said(finding), ' ', look(finding));
}

/** Without packages, which are in the tooltip. */
function said(finding) {
	return h('span', { title: finding.text }, shortNames(finding.text));
}

function look(finding) {
	return own(finding.link) && h('a', { href: own(finding.link) }, 'Look');
}

function span(finding, now) {
	const [from, to] = [clock(finding.since, now), clock(finding.until, now)];
	return from === to ? from : `${from} to ${to}`;
}

function clock(at, now) {
	return now - at > HALF_A_DAY_MILLIS ? date(at) : time(at);
}

function lasted(millis) {
	return millis >= 1000 ? `, ${duration(Math.round(millis / 1000) * 1000).replace(/\.0+ s$/, ' s')}` : '';
}

// The page: one refresh every five seconds of what the view in sight needs, and what is said when there is no answer.

import { get } from './api.js';
import { History } from './history.js';
import { render } from './dom.js';
import { current } from './router.js';
import { header } from './header.js';
import { recolor } from './charts.js';
import { startTheme } from './theme.js';
import { failure, unknown } from './parts.js';
import { views } from './views/index.js';

const REFRESH_MILLIS = 5000;
const LARGE_BYTES = 200000;
const LARGE_EVERY = 6;

const main = document.getElementById('main');
const top = document.getElementById('top');
const banner = document.getElementById('banner');

const state = { summary: null, history: new History(), data: {}, problem: null, updatedAt: null, route: [], settings: {} };
let view = views.overview;
let sizes = {};
let tick = 0;
let timer = 0;
let generation = 0;

/** Reads what the view needs, one after another: a refresh never has more than one request under way. */
async function refresh() {
	clearTimeout(timer);
	const mine = ++generation;
	try {
		const summary = await get([]);
		if (mine !== generation) {
			return;
		}
		if (state.summary?.startedAt !== summary.value.startedAt) {
			sizes = {};
		}
		state.summary = summary.value;
		if (view.history) {
			await state.history.refresh(summary.value.startedAt);
		}
		await refreshData(mine);
		if (mine === generation) {
			succeeded();
		}
	}
	catch (problem) {
		if (mine === generation) {
			failed(problem);
		}
	}
	if (mine === generation) {
		tick++;
		draw();
		timer = document.hidden ? 0 : setTimeout(refresh, REFRESH_MILLIS);
	}
}

/** A large document is read less often: it costs the application more than the rest together. */
async function refreshData(mine) {
	for (const [name, segments] of Object.entries(view.data?.(state.route, state) ?? {})) {
		if (name in state.data && sizes[name] > LARGE_BYTES && tick % LARGE_EVERY !== 0) {
			continue;
		}
		const { value, bytes } = await get(segments);
		if (mine !== generation) {
			return;
		}
		state.data[name] = value;
		sizes[name] = bytes;
	}
}

function succeeded() {
	answered();
	state.problem = null;
}

function failed(problem) {
	if (problem.kind === 'absent') {
		answered();
	}
	else if (problem.kind === 'gone' && state.problem?.kind !== 'gone' && state.updatedAt) {
		say('The application does not answer. These are its last numbers; the page goes on asking every 5 s.', 'bad');
	}
	state.problem = problem;
}

/** The application is there, whether or not it knows what the view is about. */
function answered() {
	if (state.problem?.kind === 'gone') {
		say('The application answers again.', 'good');
	}
	else if (!banner.hidden && tick % 2 === 0) {
		banner.hidden = true;
	}
	state.updatedAt = state.summary.at;
}

/** The live region that speaks when the connection is lost or comes back. */
function say(text, mood) {
	banner.textContent = text;
	banner.className = mood;
	banner.hidden = false;
}

function draw() {
	render(top, header(state, refresh));
	document.body.classList.toggle('stale', state.problem?.kind === 'gone');
	const usable = state.summary && complete() && (!state.problem || state.problem.kind === 'gone');
	render(main, usable ? view.draw(state, draw) : failure(state));
}

/** Whether all that the view needs was read, perhaps a while ago. */
function complete() {
	return Object.keys(view.data?.(state.route, state) ?? {}).every((name) => name in state.data);
}

function navigate() {
	state.route = current();
	const next = Object.hasOwn(views, state.route[0]) ? views[state.route[0]] : unknown;
	state.data = {};
	sizes = {};
	state.settings = {};
	view = (state.route.length > 2 && next.part) || (state.route.length > 1 && next.detail) || next;
	document.title = `${[...state.route].reverse().join(' · ')} – RPC dashboard`;
	scrollTo(0, 0);
	return refresh();
}

document.querySelector('.skip').addEventListener('click', (event) => {
	event.preventDefault();
	main.focus();
});

startTheme(() => {
	recolor();
	draw();
});
addEventListener('hashchange', () => navigate().then(() => main.querySelector('h1')?.focus({ preventScroll: true })));
document.addEventListener('visibilitychange', () => {
	if (!document.hidden) {
		refresh();
	}
});
navigate();

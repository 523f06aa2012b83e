// The form that calls a method of this application. What the operator types stays in this view: nothing of it is stored.

import { post } from '../api.js';
import { h } from '../dom.js';
import { duration, shortMethod } from '../format.js';
import { badge, heading, section, serviceLink } from '../parts.js';
import { link } from '../router.js';

export const invoke = {
	data: (route) => ({ form: ['invoke', ...route.slice(1)] }),
	draw: (state, draw) => {
		const form = state.data.form;
		const input = state.settings.invoke ??= { arguments: pretty(JSON.parse(form.arguments)), deadline: `${form.deadlineMillis}ms`, metadata: '' };
		const disabled = Boolean(form.problem);
		const typed = (name) => ({ name, disabled, spellcheck: 'false', value: input[name], onInput: (event) => {
			input[name] = event.target.value;
		} });
		return [
			heading(shortMethod(form.method), h('p', {}, 'A method of ', serviceLink(form.service),
				'. The call has the credentials that are typed in here, and none of the application.')),
			section('Call', {},
				form.problem && h('p', { class: 'note' }, `${form.problem}.`),
				h('form', { class: 'call', autocomplete: 'off', onSubmit: (event) => {
					event.preventDefault();
					call(form, input, event.target.elements.credentials.value, draw);
				} },
				field('Arguments in JSON', h('textarea', { ...typed('arguments'), rows: '10' })),
				field('Metadata, a line each, such as tenant: acme', h('textarea', { ...typed('metadata'), rows: '2' })),
				field('Credentials, such as Bearer and a token', h('input', { type: 'password', name: 'credentials', autocomplete: 'off', disabled })),
				field('Deadline, 60s at most', h('input', { ...typed('deadline'), type: 'text' })),
				h('button', { class: 'button', type: 'submit', disabled: disabled || input.busy }, input.busy ? 'Calling …' : 'Call'))),
			input.answer && section('Answer', {}, answer(input.answer))];
	}
};

/** A link to the form of a method of this application. */
export function callLink(service, method) {
	return h('a', { href: link('services', service, method), 'aria-label': `Call ${shortMethod(method)}` }, 'Call');
}

function field(name, input) {
	return h('label', { key: name }, h('span', {}, name), input);
}

async function call(form, input, credentials, draw) {
	if (input.busy) {
		return;
	}
	input.busy = true;
	input.answer = null;
	draw();
	try {
		input.answer = await post(['invoke'], { service: form.service, method: form.method, arguments: input.arguments,
			deadline: input.deadline, metadata: input.metadata, credentials });
	}
	catch (failure) {
		input.answer = { problem: failure.message };
	}
	input.busy = false;
	draw();
}

function answer({ status, millis, result, error, metadata, problem }) {
	if (!status || problem) {
		return h('p', { role: 'alert' }, problem ?? 'The application does not say why');
	}
	return [
		h('p', { role: 'status' }, badge(status, status === 'OK' ? 'good' : 'bad'), ` after ${duration(millis)}`),
		error?.message && h('p', {}, error.message),
		h('pre', { role: 'group', tabindex: '0', 'aria-label': 'Answer in JSON' }, pretty(result ?? error)),
		Object.entries(metadata ?? {}).map(([name, value]) => h('p', { key: name, class: 'quiet' }, `${name}: ${value}`))];
}

function pretty(value) {
	return JSON.stringify(value, null, 2);
}

// Reads the endpoint `rpc`, and calls by it. Every failure becomes one of a few kinds that the page can explain.

const base = document.documentElement.dataset.endpoint;
const TIMEOUT_MILLIS = 10000;
const LONGEST_CALL_MILLIS = 70000;
const REASONED = [400, 404, 409];

export class Failure extends Error {

	/** @param kind `gone` (no answer), `login`, `absent` (404), `hidden` (not exposed), `broken` (anything else) */
	constructor(kind, message) {
		super(message);
		this.kind = kind;
	}

}

/** @returns {value, bytes} the document at these segments below the endpoint */
export async function get(segments, query) {
	const path = address(segments);
	const response = await answer(query ? `${path}?${query}` : path, {}, TIMEOUT_MILLIS);
	if (response.status === 404) {
		throw new Failure(segments.length > 0 ? 'absent' : 'hidden', 'The server answered 404');
	}
	requireAnswer(response, response.ok);
	return parse(response);
}

/** @returns the answer to an operation, also to one that is refused for a reason */
export async function post(segments, body) {
	const headers = { 'Content-Type': 'application/json' };
	const token = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(document.cookie);
	if (token) { // Spring Security's, if it has put it there for scripts
		headers['X-XSRF-TOKEN'] = decodeURIComponent(token[1]);
	}
	const response = await answer(address(segments), { method: 'POST', headers, body: JSON.stringify(body) }, LONGEST_CALL_MILLIS);
	requireAnswer(response, response.ok || REASONED.includes(response.status));
	return (await parse(response)).value;
}

function address(segments) {
	if (!base) {
		throw new Failure('hidden', 'The endpoint rpc is not exposed');
	}
	return [base, ...segments.map(encodeURIComponent)].join('/');
}

function requireAnswer(response, good) {
	if (response.status === 401 || response.status === 403 || response.redirected) {
		throw new Failure('login', `The server answered ${response.status}`);
	}
	if (response.status === 502 || response.status === 503 || response.status === 504) {
		throw new Failure('gone', `The server answered ${response.status}`);
	}
	if (!good) {
		throw new Failure('broken', `The server answered ${response.status}`);
	}
}

async function answer(url, { headers, ...request }, millis) {
	try {
		return await fetch(new URL(url, document.baseURI), { ...request, headers: { Accept: 'application/json', ...headers },
			cache: 'no-store', credentials: 'same-origin', signal: AbortSignal.timeout(millis) });
	}
	catch {
		throw new Failure('gone', 'The application does not answer');
	}
}

async function parse(response) {
	try {
		const text = await response.text();
		return { value: JSON.parse(text), bytes: text.length };
	}
	catch (error) {
		throw error instanceof SyntaxError ? new Failure('broken', 'The answer is no JSON')
			: new Failure('gone', 'The answer broke off');
	}
}

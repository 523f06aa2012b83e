// Reads the endpoint `rpc`. Every failure becomes one of a few kinds that the page can explain.

const base = document.documentElement.dataset.endpoint;
const TIMEOUT_MILLIS = 10000;

export class Failure extends Error {

	/** @param kind `gone` (no answer), `login`, `absent` (404), `hidden` (not exposed), `broken` (anything else) */
	constructor(kind, message) {
		super(message);
		this.kind = kind;
	}

}

/** @returns {value, bytes} the document at these segments below the endpoint */
export async function get(segments, query) {
	if (!base) {
		throw new Failure('hidden', 'The endpoint rpc is not exposed');
	}
	const path = [base, ...segments.map(encodeURIComponent)].join('/');
	const response = await answer(query ? `${path}?${query}` : path);
	if (response.status === 401 || response.status === 403 || response.redirected) {
		throw new Failure('login', `The server answered ${response.status}`);
	}
	if (response.status === 404) {
		throw new Failure(segments.length > 0 ? 'absent' : 'hidden', 'The server answered 404');
	}
	if (response.status === 502 || response.status === 503 || response.status === 504) {
		throw new Failure('gone', `The server answered ${response.status}`);
	}
	if (!response.ok) {
		throw new Failure('broken', `The server answered ${response.status}`);
	}
	return parse(response);
}

async function answer(url) {
	try {
		return await fetch(new URL(url, document.baseURI), { headers: { Accept: 'application/json' }, cache: 'no-store',
			credentials: 'same-origin', signal: AbortSignal.timeout(TIMEOUT_MILLIS) });
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

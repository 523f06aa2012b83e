// Addresses behind the hash: #/methods/server/com.acme.Users/find(long) is a list of segments.

export function link(...segments) {
	return `#/${segments.map(encodeURIComponent).join('/')}`;
}

/** The segments of the address in the browser; `overview` if there are none. */
export function current() {
	const segments = location.hash.replace(/^#\/?/, '').split('/').filter((segment) => segment !== '').map(decode);
	return segments.length > 0 ? segments : ['overview'];
}

function decode(segment) {
	try {
		return decodeURIComponent(segment);
	}
	catch {
		return segment;
	}
}

/** A link from the server, if it is one of this page: anything else is no link. */
export function own(fragment) {
	return typeof fragment === 'string' && fragment.startsWith('#/') ? fragment : null;
}

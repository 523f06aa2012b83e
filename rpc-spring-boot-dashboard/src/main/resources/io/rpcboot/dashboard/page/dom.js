// Descriptions of elements, and what makes the document equal to them. A view is a function from data to a
// description; text is only ever set as text, so names from peers stay text whatever they hold.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Describes an element.
 * @param tag its name; `svg:name` for one of SVG
 * @param props attributes; `onX` listeners; `vars` custom properties of its style; `key` among its siblings;
 * `hook` {mount(element), update(element), unmount(element)} for what draws itself
 * @param children descriptions, strings, numbers, lists of them; null and false are left out
 */
export function h(tag, props, ...children) {
	return { tag, props: props || {}, children: flatten(children, []) };
}

function flatten(children, into) {
	for (const child of children) {
		if (Array.isArray(child)) {
			flatten(child, into);
		}
		else if (child !== null && child !== undefined && child !== false) {
			into.push(typeof child === 'object' ? child : { text: String(child) });
		}
	}
	return into;
}

const described = new WeakMap();

/** Makes the children of an element those that are described; the focus stays where it is. */
export function render(parent, ...children) {
	const focused = document.activeElement;
	patchChildren(parent, flatten(children, []));
	if (focused && focused !== document.activeElement && focused.isConnected) {
		focused.focus({ preventScroll: true });
	}
}

function patchChildren(parent, wanted) {
	let old = described.get(parent);
	if (!old) {
		parent.replaceChildren();
		old = [];
	}
	const left = new Map();
	for (const child of old) {
		const id = identity(child.description);
		left.has(id) ? left.get(id).push(child) : left.set(id, [child]);
	}
	const children = wanted.map((description) => {
		const same = left.get(identity(description));
		const child = same && same.shift();
		return child ? patch(child, description) : create(description);
	});
	left.forEach((gone) => gone.forEach(remove));
	children.forEach((child, index) => {
		const at = parent.childNodes[index];
		if (at !== child.node) {
			parent.insertBefore(child.node, at || null);
		}
		if (child.fresh) {
			child.fresh = false;
			child.description.props?.hook?.mount?.(child.node);
		}
	});
	described.set(parent, children);
}

function identity(description) {
	return description.tag ? `${description.tag} ${description.props.key ?? ''}` : '';
}

function create(description) {
	if (!description.tag) {
		return { node: document.createTextNode(description.text), description };
	}
	const node = description.tag.startsWith('svg:') ? document.createElementNS(SVG, description.tag.slice(4))
		: document.createElement(description.tag);
	patchProps(node, {}, description.props);
	patchChildren(node, description.children);
	return { node, description, fresh: true };
}

function patch(child, description) {
	const before = child.description;
	if (!description.tag) {
		if (before.text !== description.text) {
			child.node.data = description.text;
		}
	}
	else {
		patchProps(child.node, before.props, description.props);
		patchChildren(child.node, description.children);
		description.props.hook?.update?.(child.node);
	}
	child.description = description;
	return child;
}

function patchProps(node, before, after) {
	for (const name of Object.keys(before)) {
		if (!(name in after)) {
			setProp(node, name, null, before[name]);
		}
	}
	for (const name of Object.keys(after)) {
		if (before[name] !== after[name]) {
			setProp(node, name, after[name], before[name]);
		}
	}
}

function setProp(node, name, value, before) {
	if (name === 'key' || name === 'hook') {
		return;
	}
	if (name.startsWith('on')) {
		node[name.toLowerCase()] = value;
	}
	else if (name === 'vars') {
		for (const key of Object.keys({ ...before, ...value })) {
			if (before?.[key] !== value?.[key]) {
				node.style.setProperty(key, value?.[key] ?? '');
			}
		}
	}
	else if (name === 'value') {
		if (node.value !== value) {
			node.value = value;
		}
	}
	else if (value === null || value === undefined || value === false) {
		node.removeAttribute(name);
	}
	else {
		node.setAttribute(name, value === true ? '' : value);
	}
}

function remove(child) {
	unmount(child);
	child.node.remove();
}

function unmount(child) {
	child.description.props?.hook?.unmount?.(child.node);
	(described.get(child.node) || []).forEach(unmount);
}

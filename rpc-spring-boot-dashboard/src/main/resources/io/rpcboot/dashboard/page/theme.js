// Light or dark: as the system says, or as the switch says from then on.

const KEY = 'rpc-dashboard-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
let changed = () => undefined;

export function startTheme(listener) {
	changed = listener;
	apply();
	system.addEventListener('change', () => {
		apply();
		changed();
	});
}

export function isDark() {
	return document.documentElement.dataset.theme === 'dark';
}

export function switchTheme() {
	const next = isDark() ? 'light' : 'dark';
	store(next === (system.matches ? 'dark' : 'light') ? null : next);
	apply(next);
	changed();
}

function apply(chosen) {
	document.documentElement.dataset.theme = chosen || stored() || (system.matches ? 'dark' : 'light');
}

function stored() {
	try {
		return localStorage.getItem(KEY);
	}
	catch {
		return null;
	}
}

function store(theme) {
	try {
		theme ? localStorage.setItem(KEY, theme) : localStorage.removeItem(KEY);
	}
	catch {
		// without storage the switch holds until the page is loaded again
	}
}

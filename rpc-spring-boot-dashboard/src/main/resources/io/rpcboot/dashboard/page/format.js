// Numbers as people compare them: few digits, the same in a column, a dash for what is not known.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

export const UNKNOWN = '–';

export function known(value) {
	return typeof value === 'number' && Number.isFinite(value);
}

export function count(value) {
	return known(value) ? whole.format(value) : UNKNOWN;
}

/** Calls per second. */
export function rate(value) {
	if (!known(value)) {
		return UNKNOWN;
	}
	return value === 0 ? '0' : value < 0.05 ? '< 0.1' : tenths.format(value);
}

/** Like a rate, with fewer digits, for a large figure. */
export function figure(value) {
	return known(value) && value >= 100 ? whole.format(value) : rate(value);
}

/** Milliseconds for a column whose header names the unit. */
export function millis(value) {
	if (!known(value)) {
		return UNKNOWN;
	}
	return value === 0 ? '0' : value < 0.005 ? '< 0.01' : hundredths.format(value);
}

/** A duration of its own, with a unit. */
export function duration(value) {
	if (!known(value)) {
		return UNKNOWN;
	}
	if (value >= 3600000) {
		return `${Math.floor(value / 3600000)} h ${Math.floor(value / 60000) % 60} min`;
	}
	if (value >= 60000) {
		return `${Math.floor(value / 60000)} min ${Math.floor(value / 1000) % 60} s`;
	}
	return value >= 1000 ? `${trimmed(value / 1000)} s` : `${trimmed(value)} ms`;
}

function trimmed(value) {
	return value === 0 ? '0' : value < 10 ? hundredths.format(value) : value < 100 ? tenths.format(value) : whole.format(value);
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

export function bytes(value) {
	if (!known(value)) {
		return UNKNOWN;
	}
	let unit = 0;
	for (; value >= 1024 && unit < UNITS.length - 1; unit++) {
		value /= 1024;
	}
	return `${unit === 0 || value >= 100 ? whole.format(value) : tenths.format(value)} ${UNITS[unit]}`;
}

export function percent(share) {
	return known(share) ? `${share > 0 && share < 0.095 ? tenths.format(share * 100) : whole.format(share * 100)} %` : UNKNOWN;
}

export function time(epochMillis) {
	return known(epochMillis) ? clock.format(epochMillis) : UNKNOWN;
}

export function date(epochMillis) {
	return known(epochMillis) ? day.format(epochMillis) : UNKNOWN;
}

/** `ACCEPTING` and `BACKING_OFF` as words. */
export function words(constant) {
	return String(constant ?? '').toLowerCase().replaceAll('_', ' ');
}

/** A service by the name of its interface; the package is for a tooltip. */
export function shortName(service) {
	const [name, ...rest] = String(service ?? '').split(/(?=[:@])/);
	return name.slice(name.lastIndexOf('.') + 1) + rest.join('');
}

/** A text with classes but without their packages. */
export function shortNames(text) {
	return String(text ?? '').replace(/\b(?:[a-z][\w$]*\.)+(?=[A-Z])/g, '');
}

/** A method without the packages of its parameters. */
export function shortMethod(method) {
	return String(method ?? '').replace(/[\w$]+\./g, '');
}

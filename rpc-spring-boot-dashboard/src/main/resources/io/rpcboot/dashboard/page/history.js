// The last 15 minutes as the endpoint gives them: fetched once, then only what is new.

import { get } from './api.js';
import { known } from './format.js';

const WINDOW_MILLIS = 15 * 60 * 1000;

export class History {

	constructor() {
		this.clear();
	}

	clear() {
		this.times = [];
		this.values = new Map();
		this.stepMillis = 5000;
		this.available = true;
	}

	/** Gets the ticks after the last known; all of them if the application has started again. */
	async refresh(startedAt) {
		if (this.startedAt !== startedAt) {
			this.clear();
			this.startedAt = startedAt;
		}
		const since = this.times.length > 0 ? this.times[this.times.length - 1] : 0;
		const { value } = await get(['history'], `since=${since}`);
		this.available = Boolean(value.values);
		if (this.available) {
			this.stepMillis = value.stepMillis;
			this.append(value.times, value.values, since);
		}
	}

	append(times, values, since) {
		if (times.length > 0 && times[0] <= since) {
			this.times = [];
			this.values.clear();
		}
		for (const key of Object.keys(values)) {
			if (!this.values.has(key)) {
				this.values.set(key, new Array(this.times.length).fill(null));
			}
		}
		for (const [key, list] of this.values) {
			const more = values[key];
			for (let index = 0; index < times.length; index++) {
				list.push(more && known(more[index]) ? more[index] : null);
			}
		}
		this.times.push(...times);
		const first = this.times.findIndex((time) => time > this.times[this.times.length - 1] - WINDOW_MILLIS);
		if (first > 0) {
			this.times.splice(0, first);
			this.values.forEach((list) => list.splice(0, first));
		}
	}

	/** One value over time; null where it is not known. */
	series(key) {
		return this.values.get(key) || this.times.map(() => null);
	}

	/** Whether a value is known at any time. */
	has(key) {
		return (this.values.get(key) || []).some(known);
	}

	/** Whether a value was ever other than zero. */
	moved(key) {
		return (this.values.get(key) || []).some((value) => known(value) && value !== 0);
	}

	latest(key) {
		const list = this.values.get(key);
		return list && list.length > 0 ? list[list.length - 1] : null;
	}

	/** What follows a prefix such as `clientErrors.`, for values that moved. */
	suffixes(prefix) {
		return [...this.values.keys()].filter((key) => key.startsWith(prefix) && this.moved(key))
			.map((key) => key.slice(prefix.length)).sort();
	}

}

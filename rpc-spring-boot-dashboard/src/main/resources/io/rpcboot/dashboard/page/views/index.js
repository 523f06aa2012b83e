// Which view belongs to the first segment of an address. A view is {history, data(route, state), draw(state, draw)}:
// whether it shows the last minutes, which documents it reads by name, and what it looks like; `detail` is the view of
// an address with more segments, `part` that of one with still more.

import { overview } from './overview.js';
import { services, service } from './services.js';
import { invoke } from './invoke.js';
import { methods, method } from './methods.js';
import { references, reference } from './references.js';
import { instances, instance } from './instances.js';
import { connections, connection } from './connections.js';
import { streams } from './streams.js';
import { calls } from './calls.js';
import { settings } from './settings.js';

export const views = {
	overview,
	services: { ...services, detail: service, part: invoke },
	methods: { ...methods, detail: method },
	references: { ...references, detail: reference },
	instances: { ...instances, detail: instance },
	connections: { ...connections, detail: connection },
	streams,
	calls,
	settings
};

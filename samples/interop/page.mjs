// Page of run.py. Its address names a server that lets pages of its origin in unless they are foreign, one without
// CORS, and protocols: connect, grpc-web. Shows a line for each check: `ok`, or the reason, behind its name and a
// colon. What the page sends without a client asks for CheckService/Count, which must not run.
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web';
import { CheckService, CheckServiceRefusedSchema, StreamService } from './check_pb.js';

const parameters = new URLSearchParams(location.search);
const [opened, closed] = ['opened', 'closed'].map((each) => `http://${parameters.get(each)}`);
const isForeign = parameters.get('foreign') === 'True';
const protocols = parameters.get('protocols').split(',');
const transports = {
  connect: [
    ['Connect, JSON', createConnectTransport, {}],
    ['Connect, protobuf', createConnectTransport, { useBinaryFormat: true }],
  ],
  'grpc-web': [['gRPC-Web', createGrpcWebTransport, {}]],
};

function equal(actual, expected) {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`${JSON.stringify(actual)} (expected: ${JSON.stringify(expected)})`);
  }
}

async function failure(call) {
  try {
    await call();
  } catch (error) {
    return ConnectError.from(error);
  }
  throw new Error('success (expected: a failure)');
}

async function check(name, run) {
  let result = 'ok';
  try {
    await run();
  } catch (error) {
    result = String(error.message ?? error).replaceAll(/\s+/g, ' ');
  }
  document.body.append(`${name}: ${result}`, document.createElement('br'));
}

async function callAll(name, transport) {
  const client = createClient(CheckService, transport);
  const streams = createClient(StreamService, transport);
  await check(`${name}, unary`, async () => {
    const { value } = await client.echo({ item: { name: '\u4e00', count: 7 } });
    equal([value.name, value.count], ['\u4e00', 7]);
  });
  await check(`${name}, header field and timeout`, async () => {
    const { value } = await client.echo({ item: { name: 'x' } }, { headers: { tenant: 'acme' }, timeoutMs: 5000 });
    equal(value.name, 'x');
  });
  await check(`${name}, code and details`, async () => {
    const error = await failure(() => client.refuse({ reason: 'closed', code: 7 }));
    const [{ message, code }] = error.findDetails(CheckServiceRefusedSchema);
    equal([error.code, message, code], [Code.Unknown, 'closed', 7]);
  });
  await check(`${name}, deadline`, async () => {
    equal((await failure(() => client.pause({ millis: 60_000 }, { timeoutMs: 300 }))).code, Code.DeadlineExceeded);
  });
  await check(`${name}, server stream`, async () => {
    const numbers = [];
    const error = await failure(async () => {
      for await (const { value } of streams.numbers({ count: 3, fails: true })) {
        numbers.push(value);
      }
    });
    equal([numbers, error.code, error.rawMessage], [[1, 2, 3], Code.FailedPrecondition, 'no more than 3']);
  });
}

/** The browser tells a page nothing of a response that it must not see. */
async function refused(name, transport) {
  await check(`${name}, refused`, async () => {
    const error = await failure(() => createClient(CheckService, transport).count({}));
    equal([error.code, error.cause?.name ?? error.rawMessage], [Code.Unknown, 'TypeError']);
  });
}

/** Sends what pages may send without asking. Resolves when the browser is done with it. */
async function sendUnasked(name, server) {
  const target = `${server}/${CheckService.typeName}/Count`;
  await check(`${name}, image`, () => new Promise((resolve, reject) => {
    const image = new Image();
    image.onerror = resolve;
    image.onload = () => reject(new Error('an image'));
    image.src = `${target}?connect=v1&encoding=json&message=%7B%7D`;
  }));
  for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    await check(`${name}, form of ${enctype}`, () => new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.name = `${server}${enctype}`;
      frame.hidden = true;
      document.body.append(frame);
      const form = document.createElement('form');
      Object.assign(form, { action: target, method: 'post', enctype, target: frame.name });
      const input = document.createElement('input');
      Object.assign(input, { type: 'hidden', name: '{"x":"', value: '"}' });
      form.append(input);
      document.body.append(form);
      frame.onload = resolve;
      form.submit();
    }));
  }
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    await check(`${name}, fetch of ${type} without CORS`, async () => {
      const headers = { 'Content-Type': type };
      const response = await fetch(target, { method: 'POST', mode: 'no-cors', headers, body: '{}' });
      equal([response.type, response.status], ['opaque', 0]);
    });
  }
  await check(`${name}, beacon`, async () => {
    navigator.sendBeacon(target, new Blob(['{}'], { type: 'text/plain' }));
  });
}

for (const [name, create, options] of protocols.flatMap((each) => transports[each])) {
  if (isForeign) {
    await refused(`${name}, with CORS`, create({ baseUrl: opened, ...options }));
  } else {
    await callAll(name, create({ baseUrl: opened, ...options }));
  }
  await refused(`${name}, without CORS`, create({ baseUrl: closed, ...options }));
}
await sendUnasked('with CORS', opened);
await sendUnasked('without CORS', closed);
document.title = 'done';

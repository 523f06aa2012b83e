// Calls InteropServer and the quickstart's provider with generated clients of Connect, run by run.py:
//
//     node connect.mjs <address of InteropServer> <address of the quickstart's provider> <protocol> ...
//
// Protocols: connect, grpc, grpc-web. Expects check_pb.js, testing_pb.js and users_pb.js, which protoc-gen-es generates
// from the files of the servers. Prints a line for each check: `ok`, or the reason, behind its name and a colon.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError, createClient, decodeBinaryHeader, encodeBinaryHeader } from '@connectrpc/connect';
import {
  compressionGzip, createConnectTransport, createGrpcTransport, createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { CheckService, CheckServiceRefusedSchema, StreamService } from './check_pb.js';
import { TestService } from './testing_pb.js';
import { UserService } from './users_pb.js';

const [testing, quickstart, ...protocols] = process.argv.slice(2);

const gzip = { sendCompression: compressionGzip, compressMinBytes: 0 };
const json = { useBinaryFormat: false };
const transports = {
  connect: [
    ['Connect, HTTP/1.1, JSON', createConnectTransport, { httpVersion: '1.1', ...json }],
    ['Connect, HTTP/1.1, protobuf, gzip', createConnectTransport, { httpVersion: '1.1', ...gzip }],
    ['Connect, HTTP/2, JSON, gzip', createConnectTransport, { httpVersion: '2', ...json, ...gzip }],
    ['Connect, HTTP/2, protobuf', createConnectTransport, { httpVersion: '2' }],
  ],
  grpc: [['gRPC', createGrpcTransport, {}]],
  'grpc-web': [
    ['gRPC-Web, HTTP/1.1', createGrpcWebTransport, { httpVersion: '1.1' }],
    ['gRPC-Web, HTTP/2, gzip', createGrpcWebTransport, { httpVersion: '2', ...gzip }],
  ],
};

async function failure(call) {
  try {
    await call();
  } catch (error) {
    return ConnectError.from(error);
  }
  throw new assert.AssertionError({ message: 'success (expected: a failure)' });
}

async function awaitCancelled(check, count) {
  const end = Date.now() + 10_000;
  while ((await check.cancelled({})).value < count) {
    assert(Date.now() < end, 'the method runs on (expected: it is cancelled)');
    await sleep(50);
  }
}

const checks = {
  async unary({ users }) {
    const { value } = await users.getUser({ id: 7n });
    assert.deepEqual([value.id, value.name, value.birthday, value.permissions.slice(0, 3)],
      [7n, 'Doug Lea', '1968-12-08', [1, 2, 3]]);
    const page = (await users.listUser({ pageNo: 2 })).value;
    assert.deepEqual([page.pageNo, page.result.map((each) => Number(each.id))], [2, [...Array(15).keys()]]);
  },

  async absent({ users, check }) {
    assert.equal((await users.existUser({})).value, true);
    assert.equal((await users.createUser({})).value, false);
    assert.equal((await check.echo({})).value, undefined);
  },

  async 'every type'({ check }) {
    const item = {
      name: '\u4e00', count: 0, kind: 2, at: { seconds: 1n }, parts: { one: { name: '' } },
      shapes: [{ choice: { case: 'circle', value: { radius: 0.5 } } }],
    };
    const { value } = await check.echo({ item });
    const [{ choice }] = value.shapes;
    assert.deepEqual(
      [value.name, value.count, value.kind, value.at.seconds, value.parts.one.name, choice.case, choice.value.radius],
      ['\u4e00', 0, 2, 1n, '', 'circle', 0.5]);
  },

  async 'code and details'({ check }) {
    const error = await failure(() => check.refuse({ reason: 'closed', code: 7 }));
    assert.equal(error.code, Code.Unknown);
    const [{ message, code }] = error.findDetails(CheckServiceRefusedSchema);
    assert.deepEqual([message, code], ['closed', 7]);
  },

  async 'status of the service'({ test }) {
    const error = await failure(() => test.unaryCall({ responseStatus: { code: 9, message: 'not \u263a yet' } }));
    assert.deepEqual([error.code, error.rawMessage], [Code.FailedPrecondition, 'not \u263a yet']);
  },

  async 'undeclared exception'({ check }) {
    const error = await failure(() => check.fail({ message: 'secret' }));
    assert.equal(error.code, Code.Unknown);
    assert.match(error.rawMessage, /IllegalStateException/);
    assert.doesNotMatch(error.rawMessage, /secret/);
  },

  async metadata({ test }) {
    const bytes = new Uint8Array([0xab, 0xab, 0xab]);
    let trailers;
    await test.unaryCall({}, {
      headers: {
        'x-grpc-test-echo-initial': 'first, second', 'x-grpc-test-echo-trailing-bin': encodeBinaryHeader(bytes),
      },
      onTrailer: (received) => { trailers = received; },
    });
    assert.equal(trailers.get('x-grpc-test-echo-initial'), 'first, second');
    assert.deepEqual(decodeBinaryHeader(trailers.get('x-grpc-test-echo-trailing-bin')), bytes);
  },

  async timeout({ check }) {
    const before = (await check.cancelled({})).value;
    const error = await failure(() => check.pause({ millis: 60_000 }, { timeoutMs: 300 }));
    assert.equal(error.code, Code.DeadlineExceeded);
    await awaitCancelled(check, before + 1);
  },

  async cancel({ check }) {
    const before = (await check.cancelled({})).value;
    const controller = new AbortController();
    const call = failure(() => check.pause({ millis: 60_000 }, { signal: controller.signal }));
    await sleep(300);
    controller.abort();
    assert.equal((await call).code, Code.Canceled);
    await awaitCancelled(check, before + 1);
  },

  async 'many at once'({ users }) {
    const answers = await Promise.all(Array.from({ length: 500 }, (_, id) => users.getUser({ id: BigInt(id) })));
    assert.deepEqual(answers.map(({ value }) => Number(value.id)), [...Array(500).keys()]);
  },

  async 'server stream'({ streams }) {
    const numbers = [];
    for await (const { value } of streams.numbers({ count: 1000 })) {
      numbers.push(value);
    }
    assert.deepEqual(numbers, Array.from({ length: 1000 }, (_, index) => index + 1));
  },

  async 'server stream that fails'({ streams }) {
    const numbers = [];
    const error = await failure(async () => {
      for await (const { value } of streams.numbers({ count: 3, fails: true })) {
        numbers.push(value);
      }
    });
    assert.deepEqual([numbers, error.code, error.rawMessage], [[1, 2, 3], Code.FailedPrecondition, 'no more than 3']);
  },

  async 'server stream that is left'({ streams, users }) {
    for await (const { value } of streams.numbers({ count: 1_000_000_000 })) {
      if (value === 10) {
        break;
      }
    }
    assert.equal((await users.getUser({ id: 7n })).value.id, 7n);
  },

  async 'client stream'({ streams }) {
    async function* numbers() {
      for (let number = 1; number <= 100; number++) {
        yield { numbers: number };
      }
    }
    assert.equal((await streams.sum(numbers())).value, 5050);
  },

  async 'both ways'({ streams }) {
    let answered;
    async function* numbers() {
      for (let number = 1; number <= 10; number++) {
        const answer = new Promise((resolve) => { answered = resolve; });
        yield { numbers: number };
        await answer; // so that neither side waits for the end of the other one
      }
    }
    const squares = [];
    for await (const { value } of streams.squares(numbers())) {
      squares.push(value);
      answered();
    }
    assert.deepEqual(squares, [1, 4, 9, 16, 25, 36, 49, 64, 81, 100]);
  },
};

/** Checks that a transport does not carry, by its name. */
function isLeftOut(check, transport) {
  return (check === 'both ways' && transport.includes('HTTP/1.1'))
    || (['both ways', 'client stream'].includes(check) && transport.startsWith('gRPC-Web'));
}

async function late() {
  await sleep(30_000, undefined, { ref: false });
  throw new assert.AssertionError({ message: 'not done in 30 s' });
}

for (const [name, create, options] of protocols.flatMap((each) => transports[each])) {
  const [toTesting, toQuickstart] = [testing, quickstart]
    .map((each) => create({ baseUrl: `http://${each}`, ...options }));
  const clients = {
    users: createClient(UserService, toQuickstart), check: createClient(CheckService, toTesting),
    streams: createClient(StreamService, toTesting), test: createClient(TestService, toTesting),
  };
  for (const [check, run] of Object.entries(checks).filter(([each]) => !isLeftOut(each, name))) {
    try {
      await Promise.race([run(clients), late()]);
      console.log(`${name}, ${check}: ok`);
    } catch (error) {
      console.log(`${name}, ${check}: ${String(error.message ?? error).replaceAll(/\s+/g, ' ')}`);
    }
  }
}
process.exit(0); // connections are open

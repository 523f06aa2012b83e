// Calls the StreamService of InteropServer with the client of gRPC for Node, run by run.py:
//
//     node streams.js <address of InteropServer>
//
// Expects check.proto in the current folder. Prints a line for each check: `ok`, or the reason, behind its name and a
// colon.
const assert = require('node:assert/strict');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const file = loader.loadSync('check.proto', { keepCase: true, longs: String, enums: String });
const api = grpc.loadPackageDefinition(file).io.rpcboot.samples.interop;
const streams = connect();

function connect(options) {
  return new api.StreamService(process.argv[2], grpc.credentials.createInsecure(), options);
}

function late() {
  return { deadline: Date.now() + 10_000 };
}

/** Returns the values of a stream, and its error if it has one. */
async function read(stream, answered = () => {}) {
  const values = [];
  try {
    for await (const { value } of stream) {
      values.push(value);
      answered();
    }
  } catch (error) {
    return { values, error };
  }
  return { values };
}

/** Returns the sum of numbers that a client sends. */
function upload(client, requests) {
  return new Promise((resolve, reject) => {
    const call = client.sum(late(), (error, response) => (error ? reject(error) : resolve(response.value)));
    requests.forEach((each) => call.write(each));
    call.end();
  });
}

const checks = {
  async feed() {
    const { values } = await read(streams.numbers({ count: 1000 }, late()));
    assert.deepEqual(values, Array.from({ length: 1000 }, (_, index) => index + 1));
  },

  async 'feed that fails'() {
    const { values, error } = await read(streams.numbers({ count: 3, fails: true }, late()));
    assert.deepEqual([values, error.code, error.details],
      [[1, 2, 3], grpc.status.FAILED_PRECONDITION, 'no more than 3']);
  },

  async 'feed that is left'() {
    const feed = streams.numbers({ count: 1_000_000_000 }, late());
    const { values, error } = await read(feed, () => feed.cancel());
    assert.deepEqual([values[0], error.code], [1, grpc.status.CANCELLED]);
  },

  async upload() {
    assert.equal(await upload(streams, Array.from({ length: 10_001 }, (_, numbers) => ({ numbers }))), 50_005_000);
  },

  async 'compressed upload'() {
    const compressing = connect({ 'grpc.default_compression_algorithm': grpc.compressionAlgorithms.gzip });
    assert.equal(await upload(compressing, Array.from({ length: 101 }, (_, numbers) => ({ numbers }))), 5050);
    compressing.close();
  },

  async 'both ways'() {
    const call = streams.squares(late());
    let number = 1;
    call.write({ numbers: number });
    const { values } = await read(call, () => {
      number += 1;
      if (number <= 10) {
        call.write({ numbers: number });
      } else {
        call.end();
      }
    });
    assert.deepEqual(values, [1, 4, 9, 16, 25, 36, 49, 64, 81, 100]);
  },
};

(async () => {
  for (const [name, run] of Object.entries(checks)) {
    try {
      await run();
      console.log(`${name}: ok`);
    } catch (error) {
      console.log(`${name}: ${String(error.message ?? error).replaceAll(/\s+/g, ' ')}`);
    }
  }
  streams.close();
})();

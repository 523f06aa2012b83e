// Calls the quickstart's UserService with the types of its OpenAPI document, as docs/http.md describes.
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

declare const process: { argv: string[] };

const client = createClient<paths>({ baseUrl: 'http://' + process.argv[2] });

function check(name: string, passed: boolean, ...seen: unknown[]): void {
  console.log(passed ? `${name}: ok` : `${name}: ${JSON.stringify(seen)}`);
}

const found = await client.POST('/io.rpcboot.samples.quickstart.api.UserService/GetUser', { body: { id: '7' } });
const name: string | undefined = found.data?.value?.name;
check('a call', name === 'Doug Lea' && found.data?.value?.id === '7', found.data, found.error);

const page = await client.POST('/io.rpcboot.samples.quickstart.api.UserService/ListUser', {
  body: { pageNo: 1 },
  params: { header: { 'Connect-Timeout-Ms': 5000 } },
});
const permissions: number[] | undefined = page.data?.value?.result?.[0]?.permissions;
check('a list', page.data?.value?.result?.length === 15 && permissions?.[0] === 1, page.data, page.error);

const refused = await client.POST('/io.rpcboot.samples.quickstart.api.UserService/GetUser', {
  // @ts-expect-error the document has a text
  body: { id: true },
});
check('an error', refused.response.status === 400 && refused.error?.code === 'invalid_argument', refused.error);

const late = await client.POST('/io.rpcboot.samples.quickstart.api.UserService/GetUser', {
  body: { id: '7' },
  params: { header: { 'Connect-Timeout-Ms': 0 } },
});
check('a deadline', late.response.status === 504 && late.error?.code === 'deadline_exceeded', late.error);

import { expect, test } from 'vitest'
import { documentAddressFault, isAllowedHost, namesDocument } from './address.ts'

test.each([
  'https://app.example.com/client.json',
  'https://app.example.com/',
  'https://app.example.com:8443/a/b%20c',
  'https://xn--bcher-kva.example/oauth',
])('takes %s as the address of a document', (address) => {
  expect(namesDocument(address)).toBe(true)
  expect(documentAddressFault(address)).toBeNull()
})

test.each([
  ['no path', 'https://app.example.com'],
  ['a fragment', 'https://app.example.com/client#one'],
  ['an empty fragment', 'https://app.example.com/client#'],
  ['a query', 'https://app.example.com/client?v=1'],
  ['a user name', 'https://app.example.com@evil.example/client'],
  ['a password', 'https://a:b@app.example.com/client'],
  ['a dot segment', 'https://app.example.com/a/../client'],
  ['an encoded dot segment', 'https://app.example.com/a/%2e%2E/client'],
  ['a single dot', 'https://app.example.com/./client'],
  ['upper case in the host', 'https://App.example.com/client'],
  ['the usual port', 'https://app.example.com:443/client'],
  ['a backslash', 'https://app.example.com\\@evil.example/client'],
  ['a host with a final dot', 'https://app.example.com./client'],
  ['an address in another spelling', 'https://2130706433/client'],
  ['a letter of another script', 'https://аpp.example.com/client'],
  ['a tab', 'https://app.example.com/cl\tient'],
  ['no host', 'https:///client'],
  ['no TLS', 'http://app.example.com/client'],
  ['another scheme', 'javascript:alert(1)'],
])('refuses an address with %s', (_what, address) => {
  expect(documentAddressFault(address)).toMatch(/client_id/)
})

test.each([
  ['app.example.com', [], true],
  ['app.example.com', ['app.example.com'], true],
  ['app.example.com', ['other.example', '*.example.com'], true],
  ['a.b.example.com', ['*.example.com'], true],
  ['example.com', ['*.example.com'], false],
  ['evilexample.com', ['*.example.com'], false],
  ['example.com.evil.example', ['example.com', '*.example.com'], false],
  ['app.example.com.', ['app.example.com'], false],
  ['.example.com', ['*.example.com'], false],
  ['other.example', ['app.example.com'], false],
] as [string, string[], boolean][])('%s among %j: %s', (host, allowed, answer) => {
  expect(isAllowedHost(host, allowed)).toBe(answer)
})

// The vectors of RFC 8785, and what has no canonical form.

import { describe, expect, test } from 'vitest'
import { canonicalJson } from './index.ts'

/** The number that has these 64 bits; RFC 8785, appendix B. */
function fromBits(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}

describe('the canonical form of RFC 8785', () => {
  test('writes the document of section 3.2.2 as section 3.2.4 has it, byte by byte', () => {
    const document: unknown = JSON.parse(
      String.raw`{
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      }`,
    )
    expect(Buffer.from(canonicalJson(document)).toString('hex')).toBe(
      [
        '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e',
        '756d62657273223a5b3333333333333333332e333333333333332c31652b3330',
        '2c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac24',
        '5c75303030665c6e4127425c225c5c5c5c5c222f227d',
      ].join(''),
    )
  })

  test('sorts names by UTF-16 code units, as section 3.2.3 does', () => {
    const document: unknown = JSON.parse(
      String.raw`{
        "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
        "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
      }`,
    )
    const values = [...canonicalJson(document).matchAll(/:"(?<value>[^"]+)"/gu)].map((found) => found.groups?.['value'])
    expect(values).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  test.each([
    [0x0000000000000000n, '0'],
    [0x8000000000000000n, '0'],
    [0x0000000000000001n, '5e-324'],
    [0x8000000000000001n, '-5e-324'],
    [0x7fefffffffffffffn, '1.7976931348623157e+308'],
    [0xffefffffffffffffn, '-1.7976931348623157e+308'],
    [0x4340000000000000n, '9007199254740992'],
    [0xc340000000000000n, '-9007199254740992'],
    [0x4430000000000000n, '295147905179352830000'],
    [0x44b52d02c7e14af5n, '9.999999999999997e+22'],
    [0x44b52d02c7e14af6n, '1e+23'],
    [0x44b52d02c7e14af7n, '1.0000000000000001e+23'],
    [0x444b1ae4d6e2ef4en, '999999999999999700000'],
    [0x444b1ae4d6e2ef4fn, '999999999999999900000'],
    [0x444b1ae4d6e2ef50n, '1e+21'],
    [0x3eb0c6f7a0b5ed8cn, '9.999999999999997e-7'],
    [0x3eb0c6f7a0b5ed8dn, '0.000001'],
    [0x41b3de4355555553n, '333333333.3333332'],
    [0x41b3de4355555554n, '333333333.33333325'],
    [0x41b3de4355555555n, '333333333.3333333'],
    [0x41b3de4355555556n, '333333333.3333334'],
    [0x41b3de4355555557n, '333333333.33333343'],
    [0xbecbf647612f3696n, '-0.0000033333333333333333'],
    [0x43143ff3c1cb0959n, '1424953923781206.2'],
  ])('writes the number of appendix B with the bits %s as %s', (bits, text) => {
    expect(canonicalJson(fromBits(bits))).toBe(text)
  })

  test('keeps what JSON.parse gave, __proto__ and empty containers included', () => {
    expect(canonicalJson(JSON.parse('{"b":{},"__proto__":{"a":1},"a":[ ]}'))).toBe(
      '{"__proto__":{"a":1},"a":[],"b":{}}',
    )
  })

  test('keeps the normal forms of one letter apart', () => {
    expect(canonicalJson('\u00e9')).not.toBe(canonicalJson('e\u0301'))
  })
})

describe('what has no canonical form', () => {
  test.each([
    ['half a character', '\ud800'],
    ['half a character in a name', { '\udc00': 1 }],
    ['not a number', Number.NaN],
    ['an endless number', { a: [Number.POSITIVE_INFINITY] }],
    ['nothing at all', { a: undefined }],
    ['a hole in a list', [undefined]],
    ['a function', { a: () => 1 }],
    ['a big integer', 1n],
  ])('%s is refused instead of being left out', (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })
})

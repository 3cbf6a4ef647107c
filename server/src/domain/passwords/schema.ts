import { z } from 'zod'

/**
 * Contract 2.65. The bounds fit into each other (minLength ≤ 64 ≤ maxLength, four classes of at most 16), so no
 * combination of valid members can ask for a password that does not exist.
 */
export const PasswordPolicy = z
  .strictObject({
    // ASVS 6.2.1: never below 8, whatever an administrator wishes.
    minLength: z.int().min(8).max(64).default(12).describe('Fewest characters (Unicode code points).'),
    // NIST 800-63B asks for at least 64; 256 code points are at most the 1 KiB that is hashed.
    maxLength: z.int().min(64).max(256).default(128).describe('Most characters (Unicode code points).'),
    minLowercase: z.int().min(0).max(16).default(0).describe('Fewest lower-case letters.'),
    minUppercase: z.int().min(0).max(16).default(0).describe('Fewest upper-case letters.'),
    minDigits: z.int().min(0).max(16).default(0).describe('Fewest digits.'),
    minSpecial: z.int().min(0).max(16).default(0).describe('Fewest characters that are neither letter nor digit.'),
    notUsername: z.boolean().default(true).describe('Refuse a password that contains the username.'),
    notEmail: z
      .boolean()
      .default(true)
      .describe('Refuse a password that contains the email address or its local part.'),
    // Each entry costs one hash at every change of the password.
    historyCount: z.int().min(0).max(24).default(5).describe('How many earlier passwords may not be used again.'),
    maxAgeDays: z.int().min(0).max(3650).default(0).describe('Days until a password must be changed; 0 = never.'),
    breachCheck: z
      .enum(['REJECT', 'WARN', 'OFF'])
      .default('REJECT')
      .describe('What to do with a publicly known password.'),
    breachSource: z
      .enum(['BUILTIN', 'HIBP_RANGE', 'FILE'])
      .default('BUILTIN')
      .describe('The source asked besides the built-in list, which is always asked.'),
    denylist: z
      .array(z.string().min(1).max(64))
      .max(1000)
      .default([])
      .describe('Words that a password may not contain, such as the name of the organisation; case is ignored.'),
    // The lower bounds are the server's own cost (contract 2.51): a realm may only raise it. The upper ones bound what
    // one realm can ask of a node that it shares with others.
    hashMemoryKib: z.int().min(19_456).max(262_144).default(19_456).describe('Argon2id memory in KiB.'),
    hashIterations: z.int().min(2).max(10).default(2).describe('Argon2id passes.'),
    hashParallelism: z.int().min(1).max(4).default(1).describe('Argon2id lanes.'),
  })
  .describe('What a password of this realm must be, and how it is hashed.')

export type PasswordPolicy = z.infer<typeof PasswordPolicy>

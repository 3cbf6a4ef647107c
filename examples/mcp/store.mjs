import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** @typedef {import('@modelcontextprotocol/client').StoredOAuthClientInformation} ClientInformation */
/** @typedef {import('@modelcontextprotocol/client').StoredOAuthTokens} Tokens */
/** @typedef {{ clients: Record<string, ClientInformation>, tokens: Record<string, Tokens> }} State */

/**
 * What outlives a run, in a file that only its owner can read: registrations by their issuer, tokens by the server they are for.
 * @param {string} file @param {string} server
 */
export function openStore(file, server) {
  /** @param {(state: State) => void} change */
  const write = (change) => {
    const state = read(file)
    change(state)
    // Either the whole of it is there or what was before: a refresh token is good once.
    writeFileSync(`${file}.new`, JSON.stringify(state, null, 2), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return {
    /** @param {string} issuer @returns {ClientInformation | undefined} */
    findClient: (issuer) => read(file).clients[issuer],
    /** @param {string} issuer @param {ClientInformation | undefined} client */
    saveClient: (issuer, client) =>
      write(({ clients }) => {
        if (client) clients[issuer] = client
        else delete clients[issuer]
      }),
    /** @returns {Tokens | undefined} */
    findTokens: () => read(file).tokens[server],
    /** @param {Tokens | undefined} saved */
    saveTokens: (saved) =>
      write(({ tokens }) => {
        if (saved) tokens[server] = saved
        else delete tokens[server]
      }),
  }
}

/** @param {string} file @returns {State} */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
    return { clients: {}, tokens: {} }
  }
}

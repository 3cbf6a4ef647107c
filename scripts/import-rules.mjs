// Enforces which file may import which (docs/architecture/overview.md, "Imports run one way").
// dependency-cruiser does not read TypeScript 7 (it finds no modules and reports success), so the imports are taken from
// the parser that Vite brings along and the rules are checked here. Called by scripts/check.mjs.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

// A layer may import itself and the ones named here.
const layers = {
  platform: ['platform'],
  domain: ['platform', 'domain'],
  pages: ['platform', 'domain', 'pages'],
  protocols: ['platform', 'domain', 'pages', 'protocols'],
  app: ['platform', 'domain', 'pages', 'protocols', 'app'],
}

/** @typedef {{path: string, text: string}} SourceFile path from server/src on, with slashes */
/** @typedef {{from: string, to: string, line: number, value: boolean, local: boolean}} Import `value`: not only types */

const isTest = (/** @type {string} */ path) => /\.test\.tsx?$/.test(path)
const layerOf = (/** @type {string} */ path) => path.split('/')[0] ?? ''
/** domain/users/roles/store.ts belongs to the folder domain/users, app/main.ts to app. */
const folderOf = (/** @type {string} */ path) => path.split('/').slice(0, -1).slice(0, 2).join('/')
const isStore = (/** @type {string} */ path) => /(^|\/)(store|store-[^/]+|[^/]+-store)\.ts$/.test(path)

/** @type {{says: string, breaks: (entry: Import) => boolean}[]} */
const rules = [
  {
    says: 'imports run one way: platform <- domain <- pages, protocols <- app',
    breaks: ({ from, to, local }) => {
      const allowed = layers[/** @type {keyof typeof layers} */ (layerOf(from))]
      return local && allowed !== undefined && !allowed.includes(layerOf(to))
    },
  },
  {
    // A folder inside a folder, such as domain/users/password, has a public face of its own.
    says: 'a domain folder is reached only through its index.ts',
    breaks: ({ from, to, local }) =>
      local && layerOf(to) === 'domain' && folderOf(from) !== folderOf(to) && !to.endsWith('/index.ts'),
  },
  {
    says: 'protocols never import each other',
    breaks: ({ from, to, local }) =>
      local && layerOf(from) === 'protocols' && layerOf(to) === 'protocols' && folderOf(from) !== folderOf(to),
  },
  {
    // And to the folders inside it.
    says: 'a store is private to its folder',
    breaks: ({ from, to, local }) =>
      local && isStore(to) && !`${posix.dirname(from)}/`.startsWith(`${posix.dirname(to)}/`),
  },
  {
    says: 'queries are built only in store.ts and platform/db',
    breaks: ({ from, to, value, local }) =>
      !local && value && (to === 'kysely' || to === 'pg') && !isStore(from) && folderOf(from) !== 'platform/db',
  },
  {
    says: "the engine's inner modules are used only in protocols/oidc/internals.ts",
    breaks: ({ from, to, local }) =>
      !local && to.startsWith('oidc-provider/') && from !== 'protocols/oidc/internals.ts',
  },
]

/** @param {SourceFile} file @returns {Import[]} */
function readImports({ path, text }) {
  const { module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const found = [
    // An import without names runs the module, so it counts as a value.
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      moduleRequest,
      value: entries.length === 0 || entries.some((entry) => !entry.isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [{ moduleRequest, value: !isType }] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      moduleRequest: { start, value: text.slice(start + 1, end - 1) },
      value: true,
    })),
  ]
  return found.map(({ moduleRequest, value }) => {
    const local = moduleRequest.value.startsWith('.')
    const to = local ? posix.join(posix.dirname(path), moduleRequest.value) : moduleRequest.value
    return { from: path, to, line: text.slice(0, moduleRequest.start).split('\n').length, value, local }
  })
}

/**
 * @param {Map<string, Set<string>>} graph
 * @returns {string[][]} one circle for each place where a walk meets its own path
 */
function findCircles(graph) {
  /** @type {string[][]} */
  const circles = []
  const finished = new Set()
  /** @type {string[]} */
  const path = []
  const walk = (/** @type {string} */ node) => {
    const start = path.indexOf(node)
    if (start >= 0) circles.push([...path.slice(start), node])
    if (start >= 0 || finished.has(node)) return
    path.push(node)
    for (const next of graph.get(node) ?? []) walk(next)
    path.pop()
    finished.add(node)
  }
  for (const node of graph.keys()) walk(node)
  return circles
}

/** @param {Import[]} imports @param {(path: string) => string} nodeOf */
function buildGraph(imports, nodeOf) {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map()
  for (const { from, to } of imports) {
    if (nodeOf(from) === nodeOf(to)) continue
    graph.set(nodeOf(from), (graph.get(nodeOf(from)) ?? new Set()).add(nodeOf(to)))
  }
  return graph
}

/** @param {SourceFile[]} files @returns {string[]} one line per violation */
export function findViolations(files) {
  const imports = files.filter(({ path }) => !isTest(path)).flatMap(readImports)
  const lines = imports.flatMap((entry) =>
    rules
      .filter(({ breaks }) => breaks(entry))
      .map(({ says }) => `${entry.from}:${entry.line} imports ${entry.to}: ${says}`),
  )
  // Types are gone at run time, so a circle of types alone does no harm.
  const values = imports.filter(({ value, local }) => value && local)
  const domain = values.filter(({ from, to }) => layerOf(from) === 'domain' && layerOf(to) === 'domain')
  const circles = [...findCircles(buildGraph(values, (path) => path)), ...findCircles(buildGraph(domain, folderOf))]
  return [...lines, ...circles.map((circle) => `imports run in a circle: ${circle.join(' -> ')}`)]
}

/** @param {string} root the folder server/src @returns {SourceFile[]} */
export function readSources(root) {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = readSources(fileURLToPath(new URL('../server/src', import.meta.url)))
  const violations = findViolations(sources)
  for (const line of violations) console.error(line)
  console.log(`${sources.length} files, ${violations.length} violations of the import rules`)
  process.exitCode = violations.length > 0 || sources.length === 0 ? 1 : 0
}

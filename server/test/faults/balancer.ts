// A load balancer as small as can be: takes turns among the nodes whose readiness is UP, and never tries a request twice.
import { Agent, createServer, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Balancer {
  url: string
  /** Ports in turn right now. */
  inTurn(): number[]
  setPorts(ports: number[]): void
  stop(): Promise<void>
}

// Often enough that a node which says DOWN is out of turn well before its listener closes.
const probeMs = 50

export async function startBalancer(): Promise<Balancer> {
  // Connections are kept open as real balancers keep them: this is where a careless shutdown loses requests.
  const agent = new Agent({ keepAlive: true })
  let ports: number[] = []
  let ready: number[] = []
  let turn = 0

  /** Null when there was no answer in time, which says more about the machine than about the node. */
  const askReadiness = (port: number) =>
    new Promise<boolean | null>((resolve) => {
      const options = { port, path: '/monitoring/health/readiness', host: '127.0.0.1', timeout: 1000 }
      const probe = httpRequest(options, (answer) => {
        answer.resume()
        resolve(answer.statusCode === 200)
      })
      probe.on('timeout', () => {
        resolve(null)
        probe.destroy()
      })
      probe.on('error', () => resolve(false))
      probe.end()
    })
  // One round after the other: an answer that comes late must not outweigh a newer one.
  let stopped = false
  const probing = (async () => {
    for (; !stopped; await sleep(probeMs)) {
      const asked = ports
      const found = await Promise.all(asked.map(askReadiness))
      ready = asked.filter((port, at) => found[at] ?? ready.includes(port))
    }
  })()

  const fail = (response: ServerResponse, reason: string) => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502, { 'content-type': 'text/plain' }).end(reason)
  }
  const server = createServer((incoming, response) => {
    const port = ready[turn++ % ready.length]
    if (port === undefined) return fail(response, 'no node is ready')
    const { method, url, headers } = incoming
    const outgoing = httpRequest({ agent, host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
      answer.on('error', (error) => fail(response, error.message))
    })
    outgoing.on('error', (error) => fail(response, `${port}: ${error.message}`))
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inTurn: () => ready,
    setPorts: (next) => void (ports = next),
    async stop() {
      stopped = true
      await probing
      agent.destroy()
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

// Connections handed to a process that died before it took them: node:cluster forgets them, and the client would wait for
// ever. Handing them back as "not accepted" makes the round-robin give them to a living process.
import cluster, { type Worker } from 'node:cluster'

interface HandOver {
  seq: unknown
  connection: { close?: () => void } | undefined
}

// The end of the channel is read moments after the end of the process is noticed.
const channelPollMs = 5

// The supervisor hands over one connection at a time to each process and waits for its word, so that only the last one can be
// lost. This leans on the messages node:cluster sends itself (`newconn`, `ack`): should they change, nothing matches and
// everything is as without it. An answer that did arrive has cleared the wait, and a second one is not heard.
export function handBackLostConnections(worker: Worker): void {
  const channel = worker.process
  const send = channel.send.bind(channel) as (...args: unknown[]) => boolean
  let last: HandOver | null = null
  let disconnected = false

  channel.send = ((message: { act?: unknown; seq?: unknown }, ...rest: unknown[]) => {
    if (message.act === 'newconn') last = { seq: message.seq, connection: rest[0] as HandOver['connection'] }
    return send(message, ...rest)
  }) as typeof channel.send
  channel.once('disconnect', () => {
    disconnected = true
  })

  const handBack = (): void => {
    // With a hand-over unanswered Node never reports the channel as closed, and the dead process would stay in the round.
    if (!disconnected) channel.emit('disconnect')
    if (last === null) return
    if (hasLivingWorker()) channel.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: last.seq, accepted: false })
    else last.connection?.close?.()
  }
  const waitForChannel = (): void => {
    if (channel.connected) setTimeout(waitForChannel, channelPollMs)
    // What was read last is delivered a moment later.
    else setImmediate(handBack)
  }
  worker.once('exit', waitForChannel)
}

function hasLivingWorker(): boolean {
  return Object.values(cluster.workers ?? {}).some((worker) => worker?.isConnected() && !worker.isDead())
}

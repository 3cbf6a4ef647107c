import { describe, expect, test } from 'vitest'
import { createMetrics, createProcessSum, type MetricsJson } from './index.ts'

// What travels between processes is JSON.
async function snapshot(metrics: ReturnType<typeof createMetrics>): Promise<MetricsJson> {
  return JSON.parse(JSON.stringify(await metrics.registry.getMetricsAsJSON())) as MetricsJson
}

describe('metrics', () => {
  test('show the four counters at 0 once a realm is known', async () => {
    const metrics = createMetrics({ maxRealms: 10 })
    metrics.ensureRealm('acme')
    const text = await metrics.text()
    for (const line of [
      'svc_login_total{realm="acme",outcome="success"} 0',
      'svc_login_total{realm="acme",outcome="failure"} 0',
      'svc_tokens_issued_total{realm="acme"} 0',
      'svc_mfa_challenge_total{realm="acme"} 0',
      'svc_admin_write_total{realm="acme",method="DELETE",outcome="denied"} 0',
      'svc_audit_forward_dropped_total 0',
      'svc_webhook_delivery_total{outcome="success"} 0',
    ]) {
      expect(text).toContain(`${line}\n`)
    }
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
  })

  test('count each event under its realm', async () => {
    const metrics = createMetrics({ maxRealms: 10 })
    metrics.ensureRealm('acme')
    metrics.login('acme', 'failure')
    metrics.tokenIssued('acme')
    metrics.tokenIssued('acme')
    metrics.mfaChallenge('acme')
    metrics.adminWrite('acme', 'PUT', 'denied')
    metrics.observeRequest('GET', '/realms/:realm/jwks', 200, 0.003)
    metrics.auditForwardDropped(3)
    metrics.ensureRealm('acme')
    const text = await metrics.text()
    expect(text).toContain('svc_login_total{realm="acme",outcome="failure"} 1\n')
    expect(text).toContain('svc_tokens_issued_total{realm="acme"} 2\n')
    expect(text).toContain('svc_mfa_challenge_total{realm="acme"} 1\n')
    expect(text).toContain('svc_admin_write_total{realm="acme",method="PUT",outcome="denied"} 1\n')
    expect(text).toContain(
      'http_server_request_duration_seconds_count{method="GET",route="/realms/:realm/jwks",status="200"} 1',
    )
    expect(text).toContain('svc_audit_forward_dropped_total 3\n')
  })

  test('S50 give at most maxRealms realms a label of their own', async () => {
    const metrics = createMetrics({ maxRealms: 2 })
    for (let i = 0; i < 50; i++) {
      metrics.ensureRealm(`r${i}`)
      metrics.tokenIssued(`r${i}`)
    }
    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('svc_tokens_issued_total'))
    expect(lines).toEqual([
      'svc_tokens_issued_total{realm="r0"} 1',
      'svc_tokens_issued_total{realm="r1"} 1',
      'svc_tokens_issued_total{realm="_other"} 48',
    ])
  })

  test('S50 make no label of a method a client invented', async () => {
    const metrics = createMetrics({ maxRealms: 2 })
    metrics.observeRequest('EVIL"}', '*', 405, 0.001)
    metrics.adminWrite('acme', 'EVIL', 'denied')
    const text = await metrics.text()
    expect(text).not.toContain('EVIL')
    expect(text).toContain('method="other"')
  })

  test('leave out a gauge that cannot be read and keep the rest', async () => {
    const metrics = createMetrics({ maxRealms: 2 })
    let works = true
    metrics.gauge('svc_queue_jobs', 'Jobs waiting', async () => {
      if (!works) throw new Error('no database')
      return 7
    })
    expect(await metrics.text()).toContain('\nsvc_queue_jobs 7\n')
    works = false
    const text = await metrics.text()
    expect(text).not.toMatch(/^svc_queue_jobs \d/m)
    expect(text).toContain('process_resident_memory_bytes')
  })
})

describe('metrics summed over processes', () => {
  test('add up and do not fall when a process ends', async () => {
    const [first, second] = [createMetrics({ maxRealms: 5 }), createMetrics({ maxRealms: 5 })]
    first.tokenIssued('acme')
    second.tokenIssued('acme')
    second.observeRequest('GET', '/x', 200, 0.2)
    first.gauge('svc_open', 'Open things', () => 2)
    second.gauge('svc_open', 'Open things', () => 3)
    const sum = createProcessSum({ maxRealms: 5 })
    sum.update(1, await snapshot(first))
    sum.update(2, await snapshot(second))
    expect(await sum.text()).toContain('svc_tokens_issued_total{realm="acme"} 2\n')
    expect(await sum.text()).toContain('svc_open 5\n')

    sum.retire(2)
    sum.update(3, await snapshot(createMetrics({ maxRealms: 5 })))
    sum.retire(3)
    const text = await sum.text()
    expect(text).toContain('svc_tokens_issued_total{realm="acme"} 2\n')
    expect(text).toContain('http_server_request_duration_seconds_count{method="GET",route="/x",status="200"} 1\n')
    expect(text).toContain('svc_open 2\n')
  })

  test('S50 keep the realm limit for the node as a whole', async () => {
    const sum = createProcessSum({ maxRealms: 2 })
    for (const index of [0, 1]) {
      const metrics = createMetrics({ maxRealms: 2 })
      metrics.tokenIssued(`a${index}`)
      metrics.tokenIssued(`b${index}`)
      sum.update(index, await snapshot(metrics))
    }
    const lines = (await sum.text()).split('\n').filter((line) => line.startsWith('svc_tokens_issued_total'))
    expect(lines).toEqual([
      'svc_tokens_issued_total{realm="a0"} 1',
      'svc_tokens_issued_total{realm="b0"} 1',
      'svc_tokens_issued_total{realm="_other"} 2',
    ])
  })
})

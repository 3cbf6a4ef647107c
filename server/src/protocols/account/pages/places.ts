import type { FastifyReply } from 'fastify'
import type { Device } from '../../../domain/devices/index.ts'
import { recordEvent } from '../../../domain/events/index.ts'
import { settingsSection } from '../../../domain/settings/index.ts'
import { forgetDevices, listTrustedDevices } from '../../../domain/trusted-devices/index.ts'
import {
  type OwnDevice,
  type Place,
  renderAddStep,
  renderPlacesPage,
  renderRemoveDeviceStep,
} from '../../../pages/account/index.ts'
import { listOwnDevices, removeOwnDevice } from '../actions/devices.ts'
import { endOtherSessions, endOwnSession, listOwnSessions, type OwnSession } from '../actions/sessions.ts'
import { askToConfirm, beginAction, finish, isFresh, isGone, pathOf, redirect, send, stepPath } from './answer.ts'
import { type AccountVisit, change, look } from './holder.ts'
import { readRequests } from './overview.ts'

// Nobody reads further than this; “Sign out everywhere else” ends the others as well.
const shownSessions = 50

export async function showPlaces(account: AccountVisit): Promise<FastifyReply> {
  const { step, id } = account.query
  if (step !== 'add' && step !== 'remove') return showList(account)
  const named = typeof id === 'string' ? id : undefined
  if (!isFresh(account)) return askToConfirm(account, 'places', stepPath(account, 'places', step, named))
  if (step === 'add') return send(account, renderAddStep({ frame: account.frame, what: 'device' }))
  const device = await findDevice(account, named)
  if (!device) return finish(account, 'places', 'gone')
  return send(account, renderRemoveDeviceStep({ frame: account.frame, device }))
}

async function showList(account: AccountVisit): Promise<FastifyReply> {
  const { frame, holder, visit } = account
  const [requests, listed, trusted, devices, { mfaPolicy }] = await Promise.all([
    readRequests(account),
    look(account, (ctx) => listOwnSessions(ctx, holder, { size: String(shownSessions) })),
    look(account, (ctx) => listTrustedDevices(ctx.tx, ctx.realmId, holder.userId, ctx.now)),
    look(account, (ctx) => listOwnDevices(ctx, holder)),
    visit.realm.section(settingsSection),
  ])
  const sessions = listed.sessions.slice(0, shownSessions).map(toPlace)
  const html = renderPlacesPage({
    ...{ frame, requests, trusted },
    // The one that asks comes first: it is what people compare the others with.
    sessions: [...sessions.filter(({ isCurrent }) => isCurrent), ...sessions.filter(({ isCurrent }) => !isCurrent)],
    devices: devices.map(toDevice),
    canAddDevice: (mfaPolicy.allowed as readonly string[]).includes('device'),
  })
  return send(account, html)
}

function toPlace({ id, userAgent, sourceIp, startedAt, lastAccessAt, clients, ...session }: OwnSession): Place {
  return {
    ...{ id, userAgent, startedAt, lastAccessAt },
    address: sourceIp,
    applications: clients.map(({ clientId, name }) => name ?? clientId),
    isCurrent: session.current,
    isImpersonated: session.impersonatorId !== null,
  }
}

function toDevice({ id, deviceName, platform, pushEnabled, createdAt, lastUsedAt }: Device): OwnDevice {
  return { id, name: deviceName, platform, hasPush: pushEnabled, createdAt, lastUsedAt }
}

/** Of the person's own; anybody else's is not there. */
async function findDevice(account: AccountVisit, id: string | undefined): Promise<OwnDevice | null> {
  const devices = await look(account, (ctx) => listOwnDevices(ctx, account.holder))
  return devices.map(toDevice).find((device) => device.id === id) ?? null
}

export async function changePlaces(account: AccountVisit): Promise<FastifyReply> {
  const { holder, form } = account
  const { action, id = '' } = form
  try {
    switch (action) {
      case 'end':
        await change(account, (ctx) => endOwnSession(ctx, holder, id))
        return finish(account, 'places', 'session-ended')
      case 'end-others':
        await change(account, (ctx) => endOtherSessions(ctx, holder))
        return finish(account, 'places', 'others-ended')
      case 'forget':
        await forgetBrowsers(account)
        return finish(account, 'places', 'trust-ended')
      case 'add': {
        const step = stepPath(account, 'places', 'add', 'device')
        return await beginAction(account, 'REGISTER_DEVICE', { page: 'places', step })
      }
      case 'remove-device':
        return await removeDevice(account, id)
      default:
        return redirect(account, pathOf(account, 'places'))
    }
  } catch (error) {
    if (isGone(error)) return finish(account, 'places', 'gone')
    throw error
  }
}

async function removeDevice(account: AccountVisit, id: string): Promise<FastifyReply> {
  if (!isFresh(account)) return redirect(account, stepPath(account, 'places', 'remove', id))
  await change(account, (ctx) => removeOwnDevice(ctx, account.holder, id))
  return finish(account, 'places', 'device-removed')
}

function forgetBrowsers(account: AccountVisit): Promise<void> {
  const { userId } = account.holder
  return change(account, async (ctx) => {
    await forgetDevices(ctx, userId)
    await recordEvent(ctx, {
      type: 'CREDENTIAL_REMOVED',
      outcome: 'SUCCESS',
      resourceType: 'users',
      resourceId: userId,
      detail: JSON.stringify({ type: 'trusted-browsers' }),
      detailSubject: userId,
    })
  })
}

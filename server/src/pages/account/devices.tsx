// The devices that approve sign-ins for somebody: the list on the page of places, and the question before one is removed.

import { cleanText } from '../clean-text.ts'
import { Message } from '../components/index.ts'
import { translate } from '../messages/index.ts'
import { renderDocument } from '../shell.tsx'
import { type AccountFrame, Panel, StepLink, stepHref } from './frame.tsx'
import { Badge, Empty, Item, Items, When } from './items.tsx'
import { StepForm, StepPage } from './step.tsx'

export interface OwnDevice {
  id: string
  name: string
  platform: string
  hasPush: boolean
  createdAt: number
  lastUsedAt: number | null
}

const platforms: Readonly<Record<string, string>> = { ANDROID: 'Android', IOS: 'iOS', WEB: 'Web' }

interface DevicesProps {
  frame: AccountFrame
  devices: OwnDevice[]
  canAddDevice: boolean
}

export function Devices({ frame, devices, canAddDevice }: DevicesProps) {
  const { locale, now } = frame
  return (
    <Panel
      id="devices"
      title={translate(locale, 'account.places.devices')}
      text={translate(locale, 'account.places.devicesText')}
    >
      {devices.length === 0 && <Empty text={translate(locale, 'account.places.noDevices')} />}
      {devices.length > 0 && (
        <Items>
          {devices.map((device) => (
            <Item
              key={device.id}
              icon="phone"
              name={cleanText(device.name)}
              badge={device.hasPush && <Badge text={translate(locale, 'account.places.push')} />}
              lines={[
                <>
                  {platforms[device.platform] && `${platforms[device.platform]} · `}
                  <When key="added" locale={locale} id="account.added" at={device.createdAt} now={now} />
                  {' · '}
                  {device.lastUsedAt === null ? (
                    translate(locale, 'account.neverUsed')
                  ) : (
                    <When key="used" locale={locale} id="account.lastUsed" at={device.lastUsedAt} now={now} />
                  )}
                </>,
              ]}
            >
              {!frame.readOnly && (
                <StepLink
                  frame={frame}
                  href={stepHref(frame, 'places', 'remove', device.id)}
                  label={translate(locale, 'account.remove')}
                  name={translate(locale, 'account.places.removeTitle', { name: cleanText(device.name) })}
                  tone="danger"
                />
              )}
            </Item>
          ))}
        </Items>
      )}
      {canAddDevice && (
        <div class="gh-actions">
          <StepLink
            frame={frame}
            href={stepHref(frame, 'places', 'add', 'device')}
            label={translate(locale, 'account.places.addDevice')}
          />
        </div>
      )}
    </Panel>
  )
}

export function renderRemoveDeviceStep({ frame, device }: { frame: AccountFrame; device: OwnDevice }): string {
  const { locale } = frame
  const name = cleanText(device.name)
  return renderDocument(
    <StepPage
      frame={frame}
      page="places"
      title={<Message locale={locale} id="account.places.removeTitle" values={{ name }} />}
      plainTitle={translate(locale, 'account.places.removeTitle', { name })}
    >
      <p class="gh-text">{translate(locale, 'account.places.removeText')}</p>
      <StepForm
        frame={frame}
        page="places"
        action="remove-device"
        fields={{ id: device.id }}
        submit={translate(locale, 'account.remove')}
        danger
      />
    </StepPage>,
  )
}

import { DomainError, type FieldError } from '../../platform/errors/index.ts'
import { clientIdPlaceholder, isReservedClaim, splitClaim } from './reserved.ts'
import type { ClaimInput } from './schema.ts'
import { propertyKeys, sessionKeys } from './sources.ts'
import { convertValue } from './values.ts'

/** Refuses a mapper that could never produce anything, or would speak for the issuer. Every fault is named at once. */
export function checkClaim(input: ClaimInput): void {
  const fields = [...findClaimFaults(input), ...findSourceFaults(input), ...findValueFaults(input)]
  if (fields.length > 0) throw new DomainError('validation_failed', 'The claim mapper is not valid.', { fields })
}

const fault = (field: string, message: string): FieldError => ({ field, code: 'invalid', message })

function findClaimFaults({ claim, source }: ClaimInput): FieldError[] {
  if (isReservedClaim(claim, source)) return [fault('claim', 'Only the source SESSION may fill this claim.')]
  const [first, ...rest] = splitClaim(claim)
  const hasPlaceholder = claim.includes(clientIdPlaceholder)
  if (hasPlaceholder && source !== 'CLIENT_ROLES') {
    return [fault('claim', `${clientIdPlaceholder} is for the source CLIENT_ROLES.`)]
  }
  // At the top, a client's name could be that of a claim that means something.
  if (hasPlaceholder && (first!.includes(clientIdPlaceholder) || rest.length === 0)) {
    return [
      fault('claim', `${clientIdPlaceholder} needs a claim around it, such as resource_access.${clientIdPlaceholder}.`),
    ]
  }
  return []
}

function findSourceFaults({ claim, source, sourceKey }: ClaimInput): FieldError[] {
  const oneOf = (known: string[]) =>
    known.includes(sourceKey ?? '') ? [] : [fault('sourceKey', `${source} knows ${known.join(', ')}.`)]
  if (source === 'PROPERTY') return oneOf(propertyKeys)
  if (source === 'SESSION') return oneOf(sessionKeys)
  const needsKey = source === 'ATTRIBUTE' || (source === 'CLIENT_ROLES' && !claim.includes(clientIdPlaceholder))
  return needsKey && sourceKey === null ? [fault('sourceKey', `${source} needs a sourceKey here.`)] : []
}

function findValueFaults({ source, value, type, multivalued }: ClaimInput): FieldError[] {
  if (source !== 'CONSTANT') return value === null ? [] : [fault('value', 'Only a CONSTANT has a value.')]
  if (value === null) return [fault('value', 'A CONSTANT needs a value.')]
  const values = multivalued && Array.isArray(value) ? value : [value]
  const fits = values.length > 0 && values.every((entry) => convertValue(entry, type) !== undefined)
  return fits ? [] : [fault('value', `The value is no ${type}.`)]
}

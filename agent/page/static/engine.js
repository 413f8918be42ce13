// Which engine the agent searches on, in words: the compiled circuit, or the relational engine until that is there.
import { count } from './dom.js'

// `told` has engine, building, missing, and simulations a second as `rate`; '' where there is nothing to tell.
export function engineWords (told) {
  if (!told?.engine || told.engine === 'circuit') return ''
  const speed = typeof told.rate === 'number' ? `${told.rate < 10 ? told.rate.toFixed(1) : count(told.rate)} simulations/s` : ''
  if (told.building) return `The circuit of this game is being compiled; until it is there the slower relational engine searches${speed && `: ${speed} now`}.`
  if (told.missing) return `There is no circuit of this game (${told.missing}), so there is little search${speed && `: ${speed}`}.`
  return `The relational engine searches${speed && `: ${speed}`}.`
}

export function rateOf ({ simulations, seconds }) {
  return typeof simulations === 'number' && seconds > 0 ? simulations / seconds : null
}

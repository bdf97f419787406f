// A form for the input schema of a tool. Every field returns its value as JSON text, so that numbers
// stay as they were typed; a field without a value returns undefined and is omitted.
import {h} from './dom.js';

const DEPTH_MAX = 3;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
let lastId = 0;

export class BadField extends Error {}

/** The fields of an object schema: {element, read(), write(values)}. */
export function objectForm(schema, depth = 0) {
  const required = new Set(Array.isArray(schema?.required) ? schema.required : []);
  const names = Object.keys(schema?.properties ?? {});
  names.sort((a, b) => required.has(b) - required.has(a));
  const fields = names.map((name) => [name, field(name, schema.properties[name], required.has(name), depth)]);
  return {
    element: h('div', {class: 'form'}, fields.map(([, made]) => made.element)),
    isEmpty: fields.length === 0,
    read() {
      const members = fields.map(([name, made]) => [name, made.read()]).filter(([, value]) => value !== undefined);
      return members.length === 0 && depth > 0 ? undefined
        : `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
    },
    write(values) {
      fields.forEach(([name, made]) => made.write(values?.[name]));
    },
  };
}

function field(name, given, required, depth) {
  const schema = plain(given);
  const type = typeOf(schema);
  if (type === 'object' && schema.properties && depth < DEPTH_MAX) return group(name, schema, required, depth);
  lastId += 1;
  const id = `field-${lastId}`;
  const input = control(schema, type, required, id);
  const element = h('div', {class: 'field'}, label(name, schema, type, required, id),
    schema.description ? h('p', {class: 'hint', id: `${id}-hint`}, String(schema.description)) : null, input.element);
  if (schema.description) input.element.setAttribute('aria-describedby', `${id}-hint`);
  return {
    element,
    read() {
      try {
        const value = input.read();
        if (value === undefined && required) throw new BadField('is required');
        return value;
      } catch (problem) {
        input.element.focus();
        throw new BadField(`"${name}" ${problem.message}`);
      }
    },
    write: input.write,
  };
}

function group(name, schema, required, depth) {
  const inner = objectForm(schema, depth + 1);
  return {
    element: h('fieldset', {class: 'field'}, h('legend', {}, h('span', {class: 'field-name'}, name), ' ', required ? h('span', {class: 'need'}, 'required') : null),
      schema.description ? h('p', {class: 'hint'}, String(schema.description)) : null, inner.element),
    read: () => inner.read() ?? (required ? '{}' : undefined),
    write: inner.write,
  };
}

function label(name, schema, type, required, id) {
  return h('label', {for: id}, h('span', {class: 'field-name'}, name), h('span', {class: 'kind'}, kind(schema, type)),
    required ? h('span', {class: 'need'}, 'required') : null);
}

function kind(schema, type) {
  if (Array.isArray(schema.enum)) return 'choice';
  if (type === 'array') return `${typeOf(plain(schema.items)) ?? 'value'} list, one on each line`;
  const range = [schema.minimum !== undefined ? `≥ ${schema.minimum}` : '', schema.maximum !== undefined ? `≤ ${schema.maximum}` : ''].filter(Boolean).join(', ');
  return [type ?? 'JSON', schema.format, range].filter(Boolean).join(' · ');
}

/** A schema that also allows null is shown as its other branch. */
function plain(schema) {
  if (!schema || typeof schema !== 'object') return {};
  const branches = (schema.anyOf ?? schema.oneOf)?.filter((branch) => branch?.type !== 'null');
  return branches?.length === 1 ? {...branches[0], description: schema.description ?? branches[0].description, default: schema.default} : schema;
}

function typeOf(schema) {
  const types = Array.isArray(schema.type) ? schema.type.filter((it) => it !== 'null') : [schema.type];
  return types.length === 1 ? types[0] : undefined;
}

function control(schema, type, required, id) {
  if (Array.isArray(schema.enum)) return choice(schema.enum, required, schema.default, id);
  if (type === 'boolean') return choice([true, false], required, schema.default, id);
  if (type === 'string') return text(schema, required, id);
  if (type === 'number' || type === 'integer') return number(schema, type, required, id);
  if (type === 'array' && ['string', 'number', 'integer'].includes(typeOf(plain(schema.items)))) return lines(plain(schema.items), id);
  return json(schema, id);
}

function choice(values, required, preset, id) {
  const element = h('select', {id}, required && preset === undefined ? null : h('option', {value: ''}, preset === undefined ? '–' : `– (${JSON.stringify(preset)})`),
    values.map((value, at) => h('option', {value: String(at)}, typeof value === 'string' ? value : JSON.stringify(value))));
  return {
    element,
    read: () => element.value === '' ? undefined : JSON.stringify(values[Number(element.value)]),
    write(value) { element.value = value === undefined ? element.options[0]?.value ?? '' : String(values.indexOf(value)); },
  };
}

function text(schema, required, id) {
  const preset = schema.default === undefined ? schema.examples?.[0] ?? '' : schema.default;
  const element = h('textarea', {id, rows: 1, spellcheck: 'false', placeholder: String(preset)});
  return {
    element,
    // An empty string is a value only if the field is required.
    read: () => element.value === '' && !required ? undefined : JSON.stringify(element.value),
    write(value) { element.value = value === undefined ? '' : String(value); },
  };
}

function number(schema, type, required, id) {
  const element = h('input', {id, inputmode: 'decimal', autocomplete: 'off', placeholder: schema.default === undefined ? '' : String(schema.default)});
  return {
    element,
    read() {
      const typed = element.value.trim();
      if (typed === '') return undefined;
      if (!NUMBER.test(typed)) throw new BadField(`must be ${type === 'integer' ? 'an integer' : 'a number'}`);
      return typed;
    },
    write(value) { element.value = value === undefined ? '' : String(value); },
  };
}

function lines(items, id) {
  const element = h('textarea', {id, rows: 2, spellcheck: 'false'});
  const one = (line) => {
    if (typeOf(items) === 'string') return JSON.stringify(line);
    if (!NUMBER.test(line.trim())) throw new BadField(`must have ${typeOf(items) === 'integer' ? 'an integer' : 'a number'} on each line, not "${line}"`);
    return line.trim();
  };
  return {
    element,
    read() {
      const given = element.value.split('\n').filter((line) => line !== '');
      return given.length === 0 ? undefined : `[${given.map(one).join(',')}]`;
    },
    write(value) { element.value = Array.isArray(value) ? value.join('\n') : ''; },
  };
}

function json(schema, id) {
  const element = h('textarea', {id, rows: 3, spellcheck: 'false', placeholder: schema.default === undefined ? 'JSON' : JSON.stringify(schema.default)});
  return {
    element,
    read() {
      const typed = element.value.trim();
      if (typed === '') return undefined;
      try {
        JSON.parse(typed);
      } catch (problem) {
        throw new BadField(`must be JSON: ${problem.message}`);
      }
      return typed;
    },
    write(value) { element.value = value === undefined ? '' : JSON.stringify(value, null, 2); },
  };
}

// Small charts of the last minutes.
import {svg, h} from './dom.js';

const WIDTH = 168;
const HEIGHT = 34;

/** A line over time; steps without a value (below zero) are gaps that the line crosses. */
export function line(values, steps, caption, label) {
  const max = Math.max(1, ...values);
  const x = (at) => WIDTH * (at + steps - values.length) / Math.max(1, steps - 1);
  const y = (value) => HEIGHT - 2 - (HEIGHT - 6) * value / max;
  const points = values.map((value, at) => [at, value]).filter(([, value]) => value >= 0)
    .map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  const first = points[0]?.split(',')[0];
  const last = points.at(-1)?.split(',')[0];
  return chart(caption, label,
    points.length > 1 ? svg('polygon', {class: 'area', points: `${first},${HEIGHT} ${points.join(' ')} ${last},${HEIGHT}`}) : null,
    points.length > 0 ? svg('polyline', {class: 'line', points: points.length > 1 ? points.join(' ') : `${points[0]} ${Number(first) + 1},${points[0].split(',')[1]}`}) : null);
}

/** Bars over time: all calls, and the failed ones among them. */
export function bars(calls, errors, steps, caption, label) {
  const max = Math.max(1, ...calls);
  const width = WIDTH / steps;
  const bar = (kind, value, at) => {
    const height = Math.max(2, (HEIGHT - 4) * value / max);
    return svg('rect', {class: kind, x: (width * (at + steps - calls.length)).toFixed(2), y: (HEIGHT - height).toFixed(1), width: Math.max(1, width - .3).toFixed(2), height: height.toFixed(1)});
  };
  return chart(caption, label,
    calls.map((value, at) => value > 0 ? bar('bar-ok', value, at) : null),
    errors.map((value, at) => value > 0 ? bar('bar-bad', value, at) : null));
}

function chart(caption, label, ...shapes) {
  return h('div', {class: 'spark'},
    svg('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label},
      svg('line', {class: 'base', x1: 0, x2: WIDTH, y1: HEIGHT - .5, y2: HEIGHT - .5}), ...shapes.flat()),
    h('span', {}, caption));
}

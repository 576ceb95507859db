// Brings the proof page to life.

import { mount } from 'svelte';
import { parseLessonPage } from '../../shared/lesson';
import { contextOf, createLab } from '../store/lab';
import View from './View.svelte';

const data = document.getElementById('lesson')?.textContent;
const lab = await createLab(parseLessonPage(JSON.parse(data ?? 'null')), {});
const target = document.getElementById('proof')!;
target.replaceChildren();
target.removeAttribute('aria-busy');
mount(View, { target, context: contextOf(lab) });

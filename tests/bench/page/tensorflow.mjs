// TensorFlow.js with one of its back ends, from the scripts of its packages, which put themselves into the global `tf`.

const PACKAGES = '../node_modules/@tensorflow';

/** `backend`: `wasm` or `webgpu`. Calls `set` between loading and starting it. */
export async function tensorflow(backend, set) {
  for (const file of ['tfjs/dist/tf.min.js', `tfjs-backend-${backend}/dist/tf-backend-${backend}.min.js`])
    await new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = new URL(`${PACKAGES}/${file}`, import.meta.url).href;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${file} is not there`));
      document.head.append(script);
    });
  const { tf } = globalThis;
  set(tf, new URL(`${PACKAGES}/tfjs-backend-${backend}/dist/`, import.meta.url).href);
  if (!(await tf.setBackend(backend))) throw new Error(`the ${backend} back end of TensorFlow.js did not start`);
  await tf.ready();
  return tf;
}

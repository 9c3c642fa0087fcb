### The page without scripts: what waits, and each ask as a form.

form-pair = Este dispositivo aún no está admitido. Abre esta página con scripts y ejecuta `ask-user pair` en el ordenador:
form-sign-in = Para responder aquí, inicia sesión en este navegador: ejecuta `ask-user web --print` y pega el enlace que muestra.
form-link = El enlace o su clave
form-sign-in-button = Iniciar sesión
form-wrong-key = Esta clave no abre nada: ya se usó o tiene más de dos minutos. Ejecuta `ask-user web --print` otra vez.
form-waiting = Lo que te espera
form-send = Enviar
form-send-gaps = Enviar de todos modos
form-gaps = No se envió: falta algo o algo no encaja. Está marcado abajo.
form-gap = Esta pregunta necesita una respuesta, o la respuesta no encaja con ella.
form-torn = Aquí están marcadas «ninguna de estas» y una opción a la vez: quita una de las dos.
form-note = Una nota a esta respuesta
form-note-all = Una nota a todas las respuestas
form-back = Volver a lo que espera
form-again = Este formulario era demasiado antiguo: no se envió nada. Aquí está de nuevo.
form-say-what = No se envió: di qué quieres saber.

## What a browser is shown where there is no page, or where something didn't happen.

form-nothing-here = Aquí no hay nada
form-nothing-here-says = Ninguna parte de esta página tiene esa dirección.
form-without-scripts = Sin JavaScript, un formulario sencillo hace lo mismo.
form-to-page = A la bandeja
form-gone = Esta pregunta no está aquí
form-gone-says = Se borró, o su dirección no está completa.
form-other-host = Esta no es la dirección de la página
# $address is that of this computer, for browsers on it.
form-other-host-says = En este ordenador es { $address }. Los móviles usan la dirección que muestra `ask-user pair`.
form-other-site = Otro sitio ha traído hasta aquí
form-other-site-says = Para otros sitios no se abre ni se envía nada. Sigue tú desde aquí:
form-only-sees = Este dispositivo solo ve las preguntas
form-only-sees-says = No se ha enviado nada. Responde en el ordenador, o vuelve a admitir este dispositivo allí para que pueda responder.
form-shut-out = Ahora no se admite ningún dispositivo
form-shut-out-says = No se ha enviado nada. Actívalo en el ordenador: con «ask-user pair» o en los ajustes de la página. Este dispositivo no necesita un código nuevo.
form-too-much = Era demasiado
form-too-much-says = No se ha enviado nada. Vuelve atrás y envía menos de una vez.
form-not-taken = No se ha aceptado
form-not-taken-says = No se ha enviado nada. Vuelve atrás e inténtalo otra vez.
form-no-hub = Ahora mismo no se puede
form-no-hub-says = Vuelve atrás e inténtalo dentro de un momento. `ask-user doctor` dice qué ocurre.
form-kept-meanwhile = No se ha enviado nada: este navegador no tiene la sesión iniciada. Lo que rellenaste se conserva mientras tanto.
form-signed-in = Has iniciado la sesión. Aún no se ha enviado nada: revísalo y envíalo.
form-yours = Lo que habías escrito
form-overheard = Sin cifrar: quien esté en la misma red puede leerlo todo y actuar en tu lugar.
form-only-sees-asks = Este dispositivo solo puede ver preguntas. Responde en el ordenador, o deja entrar allí el dispositivo otra vez para que pueda responder.

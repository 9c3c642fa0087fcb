### What a browser is shown where the page can't run, or where there is no page.

page-nothing-here = Aquí no hay nada
page-nothing-here-says = Ninguna parte de esta página tiene esa dirección.
page-without-scripts = Sin JavaScript, responde en una terminal: ejecuta allí `ask-user`.
page-to-inbox = A la bandeja
page-other-host = Esta no es la dirección de la página
# $address is that of this computer, for browsers on it.
page-other-host-says = En este ordenador es { $address }. Los móviles usan la dirección que muestra `ask-user pair`.
page-other-site = Otro sitio ha traído hasta aquí
page-other-site-says = Para otros sitios no se abre ni se envía nada. Sigue tú desde aquí:
page-shut-out = Ahora no se admite ningún dispositivo
page-shut-out-says = No se ha enviado nada. Actívalo en el ordenador: con «ask-user pair» o en los ajustes de la página. Este dispositivo no necesita un código nuevo.

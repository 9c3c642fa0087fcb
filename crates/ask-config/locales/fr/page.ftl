### What a browser is shown where the page can't run, or where there is no page.

page-nothing-here = Il n’y a rien ici
page-nothing-here-says = Aucune partie de cette page n’a cette adresse.
page-without-scripts = Sans JavaScript, répondez dans un terminal : lancez-y `ask-user`.
page-to-inbox = Vers la boîte
page-other-host = Ce n’est pas l’adresse de la page
# $address is that of this computer, for browsers on it.
page-other-host-says = Sur cet ordinateur, c’est { $address }. Les téléphones utilisent l’adresse qu’affiche `ask-user pair`.
page-other-site = Un autre site a mené ici
page-other-site-says = Rien n’est ouvert ni envoyé pour d’autres sites. Continuez vous-même d’ici :
page-shut-out = Aucun appareil n’est admis pour le moment
page-shut-out-says = Rien n’a été envoyé. Activez-le sur l’ordinateur : avec « ask-user pair » ou dans les réglages de la page. Cet appareil n’a pas besoin d’un nouveau code.

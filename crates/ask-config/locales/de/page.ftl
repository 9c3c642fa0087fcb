### What a browser is shown where the page can't run, or where there is no page.

page-nothing-here = Hier ist nichts
page-nothing-here-says = Kein Teil dieser Seite hat diese Adresse.
page-without-scripts = Antworte ohne JavaScript in einem Terminal: Führe dort `ask-user` aus.
page-to-inbox = Zum Eingang
page-other-host = Das ist nicht die Adresse der Seite
# $address is that of this computer, for browsers on it.
page-other-host-says = Auf diesem Computer ist es { $address }. Handys benutzen die Adresse, die `ask-user pair` ausgibt.
page-other-site = Eine andere Website hat hierher geführt
page-other-site-says = Für andere Websites wird nichts geöffnet und nichts gesendet. Geh von hier aus selbst weiter:
page-shut-out = Zurzeit werden keine Geräte zugelassen
page-shut-out-says = Es wurde nichts gesendet. Schalte es am Computer ein: mit „ask-user pair“ oder dort in den Einstellungen der Seite. Dieses Gerät braucht keinen neuen Code.

// Names of made-up people. Several scripts and accents, because folding and byte order are part of what is measured.
export const firstNames =
  `Ada Alan Amara Ana André Anna Anne Antonio Björn Carla Carlos Chen Clara Daniel David Elena Emil Emma Eva
  Fatima Felix Finn Frida Gabriel Grace Hana Hannah Hugo Ida Igor Ines Ingrid Ivan Jakob James Jana João Jonas José Julia
  Karim Kofi Lars Laura Lena Leon Li Linda Louise Lucas Léa Maja Maria Mark Marta Mateo Max Mia Michał Mohammed Nadia Nils
  Noah Nora Olga Omar Oskar Paula Pedro Petra Priya Ravi Rosa Samir Sara Sofia Søren Tariq Thea Tomás Ulrike Uwe Valentina
  Viktor Wei Yara Yuki Zofia Zoë`.split(/\s+/)

export const lastNames =
  `Abbott Acosta Adams Aguilar Ahmed Almeida Andersen Anders Bakker Barros Bauer Becker Berg Bianchi Brandt
  Brown Bruun Castro Chen Clark Costa Dahl Diaz Dubois Eklund Engel Evans Fernández Fischer Fontaine Franke Fuchs García Gomez
  Gonçalves Gruber Haas Hansen Hayes Herrera Hoffmann Holm Horvat Huber Ito Ivanov Jansen Jensen Jones Kaiser Kato Keller Khan
  Kim Klein Koch Kovač Kowalski Krause Kumar Lange Larsen Lehmann Li Lindqvist Lopez Lund Maier Marino Martin Mehta Meyer Moreau
  Mäkinen Müller Nakamura Nguyen Nielsen Novak Okafor Olsen Ortiz Park Patel Pereira Peters Petrov Popescu Quinn Ramos Reyes
  Richter Rossi Roth Ruiz Santos Sato Schmidt Schneider Schulz Silva Singh Sokolov Suzuki Tanaka Taylor Torres Urban Vargas
  Vogel Wagner Walker Wang Weber Weiß Winkler Wolf Yamada Yılmaz Young Zhang Ziegler Zimmermann Zwingli`.split(/\s+/)

export const departments =
  `Accounting Design Engineering Facilities Finance Legal Logistics Marketing Operations Procurement Production
  Quality Research Sales Security Service Support Training Transport Warehouse`.split(/\s+/)

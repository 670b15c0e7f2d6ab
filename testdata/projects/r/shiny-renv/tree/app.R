library(shiny)
ui <- fluidPage(textOutput("t"))
server <- function(input, output) output$t <- renderText("hi")
shinyApp(ui, server)
